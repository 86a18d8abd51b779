module.exports={selfTest(){return {}}}
