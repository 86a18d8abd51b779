"""What the compiler knows of the tricky fixture, place by place; right is what the language says."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.providers import cleanliness
from tests.providers.typescript.driver_index import Answer, Indexed, index_folder, signature_of
from tests.providers.typescript.names import excuse

FIXTURE = Path(__file__).parents[3] / "fixtures" / "typescript-tricky"
OWN = "tricky 1.0.0"


@pytest.fixture(scope="session")
def tricky(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    folder = tmp_path_factory.mktemp("tricky")
    shutil.copytree(FIXTURE, folder / "work")
    return index_folder(folder / "work", folder / "run", OWN)


Places = Mapping[tuple[str, str] | tuple[str, str, int], Answer]
"""Expected answers by (line fragment, name) or (line fragment, name, nth)."""

CASES: dict[str, tuple[str, Places]] = {
    "1 overloads": (
        "overloads.ts",
        {
            ("twice(x: number)", "twice"): {"overloads.ts/twice().": "DF"},
            ("twice(x: string)", "twice"): {"overloads.ts/twice().": "DF"},
            ("twice(x: any)", "twice"): {"overloads.ts/twice().": "D"},
            ("twice(1)", "twice"): {"overloads.ts/twice().": "R"},
            ("return x", "x"): {"local x@4": "R"},
            ("constructor(unit: string)", "constructor"): {"overloads.ts/Meter#`<constructor>`().": "DF"},
            ("constructor(readonly", "constructor"): {"overloads.ts/Meter#`<constructor>`().": "D"},
            ("readonly unit", "unit"): {"overloads.ts/Meter#unit.": "D", "local unit@10": "D"},
            ("read(at: number)", "read"): {"overloads.ts/Meter#read().": "DF"},
            (".read(2)", "read"): {"overloads.ts/Meter#read().": "R"},
            ('new Meter("m")', "Meter"): {"overloads.ts/Meter#": "R"},
        },
    ),
    "2 renamed re-exports": (
        "middle.ts",
        {
            ("start as begin", "start"): {"origin.ts/start().": "I"},
            ("start as begin", "begin"): {"origin.ts/start().": "I"},
            ('level } from "./origin"', "level"): {"origin.ts/level.": "I"},
            ('from "./origin"', "./origin"): {"origin.ts/": "I"},
            ('* from "./star"', "./star"): {"star.ts/": "I"},
            ("as everything", "everything"): {"origin.ts/": "I"},
            ("start as again", "start"): {"origin.ts/start().": "I"},
            ("start as again", "again"): {"origin.ts/start().": "I"},
        },
    ),
    "2 users of re-exports": (
        "far.ts",
        {
            ("{ again,", "again"): {"origin.ts/start().": "I"},
            ("{ again,", "begin"): {"origin.ts/start().": "I"},
            ("{ again,", "everything"): {"origin.ts/": "I"},
            ("level as height", "level"): {"origin.ts/level.": "I"},
            ("level as height", "height"): {"origin.ts/level.": "I"},
            ("starred }", "starred"): {"star.ts/starred.": "I"},
            ("begin();", "begin"): {"origin.ts/start().": "R"},
            ("again();", "again"): {"origin.ts/start().": "R"},
            ("everything.start", "everything"): {"origin.ts/": "R"},
            ("everything.start", "start"): {"origin.ts/start().": "R"},
            ("= height", "height"): {"origin.ts/level.": "R"},
            ("+ starred", "starred"): {"star.ts/starred.": "R"},
            ("everything.Shape", "everything"): {"origin.ts/": ""},
            ("everything.Shape", "Shape"): {"origin.ts/Shape#": ""},
            ('["side"]', "side"): {"origin.ts/Shape#side.": ""},
        },
    ),
    "3 default exports": (
        "defaults.ts",
        {
            ("import anonymous", "anonymous"): {"default_function.ts/default().": "I"},
            ("import Unnamed", "Unnamed"): {"default_class.ts/default#": "I"},
            ("import settings", "settings"): {"default_value.ts/default.": "I"},
            ("import Named", "Named"): {"default_named.ts/Original().": "I"},
            ("import alias", "alias"): {"default_named.ts/helper().": "I"},
            ("anonymous();", "anonymous"): {"default_function.ts/default().": "R"},
            ("new Unnamed", "Unnamed"): {"default_class.ts/default#": "R"},
            (".run()", "run"): {"default_class.ts/default#run().": "R"},
            ("settings.depth", "depth"): {"default_value.ts/default.depth.": "R"},
            ("Named();", "Named"): {"default_named.ts/Original().": "R"},
            ("alias();", "alias"): {"default_named.ts/helper().": "R"},
        },
    ),
    "3 default function": (
        "default_function.ts",
        {("export default", "default"): {"default_function.ts/default().": "D"}},
    ),
    "3 default class": (
        "default_class.ts",
        {
            ("export default", "default"): {"default_class.ts/default#": "D"},
            ("run()", "run"): {"default_class.ts/default#run().": "D"},
        },
    ),
    "3 default value": (
        "default_value.ts",
        {
            ("export default", "default"): {"default_value.ts/default.": "D"},
            ("depth: 1", "depth"): {"default_value.ts/default.depth.": "D"},
        },
    ),
    "3 default of a name": (
        "default_alias.ts",
        {
            ("default helper", "default"): {},
            ("default helper", "helper"): {"default_named.ts/helper().": ""},
        },
    ),
    "4 interface and constant": (
        "dual.ts",
        {
            ("interface Dual", "Dual"): {"dual.ts/Dual#": "D"},
            ("const Dual", "Dual"): {"dual.ts/Dual.": "DW"},
            ("make(): Dual", "Dual"): {"dual.ts/Dual#": ""},
            ("return { d", "d"): {"dual.ts/Dual#d.": "W"},
            ("type Mode", "Mode"): {"dual.ts/Mode#": "D"},
            ("const Mode", "Mode"): {"dual.ts/Mode.": "DW"},
        },
    ),
    "4 uses of both": (
        "dual_user.ts",
        {
            ("{ Dual, Mode }", "Dual"): {"dual.ts/Dual#": "I", "dual.ts/Dual.": "I"},
            ("{ Dual, Mode }", "Mode"): {"dual.ts/Mode#": "I", "dual.ts/Mode.": "I"},
            ("one: Dual", "Dual"): {"dual.ts/Dual#": ""},
            ("= Dual.make", "Dual"): {"dual.ts/Dual.": "R"},
            ("= Dual.make", "make"): {"dual.ts/Dual.make().": "R"},
            ("typeof Dual", "Dual"): {"dual.ts/Dual.": "R"},
            ("mode: Mode", "Mode"): {"dual.ts/Mode#": ""},
            ("= Mode.on", "Mode"): {"dual.ts/Mode.": "R"},
            ("= Mode.on", "on"): {"dual.ts/Mode.on.": "R"},
        },
    ),
    "5 module augmentation": (
        "dual_user.ts",
        {
            ('declare module "./dual"', "./dual"): {"dual.ts/": "I"},
            ("interface Dual", "Dual"): {"dual.ts/Dual#": "DF"},
            ("added?", "added"): {"dual.ts/Dual#added.": "D"},
            ("interface Fresh", "Fresh"): {"dual.ts/Fresh#": "D"},
            ("f: number", "f"): {"dual.ts/Fresh#f.": "D"},
            ("one.added", "added"): {"dual.ts/Dual#added.": "R"},
        },
    ),
    "5 merged declarations": (
        "merging.ts",
        {
            ("const first", "first"): {"merging.ts/Space/first.": "DW"},
            ("first + 1", "first"): {"merging.ts/Space/first.": "R"},
            ("a: number", "a"): {"merging.ts/Merged#a.": "D"},
            ("b: string", "b"): {"merging.ts/Merged#b.": "D"},
            ("function build", "build"): {"merging.ts/build().": "D"},
            ("namespace build", "build"): {"merging.ts/build().": "DF"},
            ("const speed", "speed"): {"merging.ts/build().speed.": "DW"},
            ("namespace Box", "Box"): {"merging.ts/Box#": "DF"},
            ("interface Options", "Options"): {"merging.ts/Box#Options#": "D"},
            ("build.speed", "build"): {"merging.ts/build().": "R"},
            ("build.speed", "speed"): {"merging.ts/build().speed.": "R"},
            ("+ Space.second", "Space"): {"merging.ts/Space/": "R"},
            ("+ Space.second", "second"): {"merging.ts/Space/second.": "R"},
            ("opts: Box.Options", "Box"): {"merging.ts/Box#": ""},
            ("opts: Box.Options", "Options"): {"merging.ts/Box#Options#": ""},
            ("{ size: 1 }", "size"): {"merging.ts/Box#Options#size.": "W"},
            ("Deep.Inner {", "Inner"): {"merging.ts/Deep/Inner/": "D"},
            ("type Leaf", "Leaf"): {"merging.ts/Deep/Inner/Leaf#": "D"},
            ("L = Deep.Inner.Leaf", "Inner"): {"merging.ts/Deep/Inner/": ""},
            ("L = Deep.Inner.Leaf", "Leaf"): {"merging.ts/Deep/Inner/Leaf#": ""},
        },
    ),
    "5 declare global": (
        "globals.ts",
        {
            ("declare global", "global"): {"globals.ts/global/": "D"},
            ("interface Array", "Array"): {"typescript 6.0.3 lib/Array#": "DF"},
            ("lastOne(): T", "lastOne"): {"typescript 6.0.3 lib/Array#lastOne().": "D"},
            ("lastOne(): T", "T"): {"local T@3": ""},
            ("interface Planet", "Planet"): {"globals.ts/global/Planet#": "D"},
            ("var earth", "earth"): {"globals.ts/global/earth.": "D"},
            ("earth.mass", "mass"): {"globals.ts/global/Planet#mass.": "R"},
            ("[1].lastOne", "lastOne"): {"typescript 6.0.3 lib/Array#lastOne().": "R"},
        },
    ),
    "5 globals elsewhere": (
        "globals_user.ts",
        {
            ("heavy: Planet", "Planet"): {"globals.ts/global/Planet#": ""},
            ("= earth", "earth"): {"globals.ts/global/earth.": "R"},
        },
    ),
    "6 classes": (
        "classes.ts",
        {
            ("abstract area", "area"): {"classes.ts/Figure#area().": "D"},
            ("public name", "name"): {"classes.ts/Figure#name.": "D", "local name@3": "D"},
            ("describe(name", "name"): {"local name@3": "R"},
            ("depth: number", "depth"): {"classes.ts/Figure#`<constructor>`().(extra)depth.": "D"},
            ("extra.depth", "depth"): {"classes.ts/Figure#`<constructor>`().(extra)depth.": "R"},
            ("this.area()", "area"): {"classes.ts/Figure#area().": "R"},
            ("static shared", "shared"): {"classes.ts/Figure#shared.": "DW"},
            ("  shared = 2", "shared"): {"classes.ts/Figure#1:shared.": "DW"},
            ("extends Figure", "Figure"): {"classes.ts/Figure#": "R"},
            ("implements Greeter", "Greeter"): {"classes.ts/Greeter#": ""},
            ("#side = 2", "#side"): {"classes.ts/Square#`#side`.": "DW"},
            ("this.#side **", "#side"): {"classes.ts/Square#`#side`.": "R"},
            ("this.name = who", "name"): {"classes.ts/Figure#name.": "W"},
            ("override create", "create"): {"classes.ts/Square#create().": "D"},
            ("square.name", "name"): {"classes.ts/Figure#name.": "R"},
            ("const { name }", "name"): {"classes.ts/Figure#name.": "R", "classes.ts/name.": "D"},
            ("greeter.greet", "greet", 1): {"classes.ts/Greeter#greet().": "R"},
            ("Square.shared", "shared"): {"classes.ts/Figure#shared.": "R"},
            ("square.shared", "shared"): {"classes.ts/Figure#1:shared.": "R"},
            ("Square.create()", "create"): {"classes.ts/Square#create().": "R"},
            ("interface Wide extends Greeter", "Greeter"): {"classes.ts/Greeter#": ""},
        },
    ),
    "7 JSX": (
        "jsx.tsx",
        {
            ("<div id", "div"): {"jsx.tsx/global/JSX/IntrinsicElements#div.": "R"},
            ("</div>", "div"): {"jsx.tsx/global/JSX/IntrinsicElements#div.": "R"},
            ("<div id", "id"): {"jsx.tsx/global/JSX/IntrinsicElements#div.id.": "W"},
            ("<div id", "data-kind"): {"jsx.tsx/global/JSX/IntrinsicElements#div.data-kind.": "W"},
            ("<div id", "data-other"): {},
            ("<Button label", "Button"): {"jsx.tsx/Button().": "R"},
            ("</Button>", "Button"): {"jsx.tsx/Button().": "R"},
            ("<Button label", "label"): {"jsx.tsx/Button().(props)label.": "W"},
            ("<Button label", "onPress"): {"jsx.tsx/Button().(props)onPress.": "W"},
            ("=> start()", "start"): {"jsx.tsx/start().": "R"},
            ("<ui.Panel", "ui"): {"jsx.tsx/ui.": "R"},
            ("<ui.Panel", "Panel"): {"jsx.tsx/ui.Panel.": "R"},
            ("<ui.Panel", "label"): {"jsx.tsx/Button().(props)label.": "W"},
            ("...spread", "spread"): {"jsx.tsx/spread.": "R"},
        },
    ),
    "8 decorators": (
        "decorators.ts",
        {
            ("@mark", "mark"): {"decorators.ts/mark().": "R"},
            ("@mark field", "mark"): {"decorators.ts/mark().": "R"},
            ('@marked("x")', "marked"): {"decorators.ts/marked().": "R"},
            ("@mark first", "mark"): {"decorators.ts/mark().": "R"},
            ("@mark first", "first"): {"local first@7": "D"},
        },
    ),
    "9 shorthand and destructuring": (
        "patterns.ts",
        {
            ("{ x, y: up } = point", "x"): {"patterns.ts/Point#x.": "R", "patterns.ts/x.": "D"},
            ("{ x, y: up } = point", "y"): {"patterns.ts/Point#y.": "R"},
            ("{ x, y: up } = point", "up"): {"patterns.ts/up.": "D"},
            ("pair = { x, up }", "x"): {"patterns.ts/x.": "R", "patterns.ts/pair.x.": "D"},
            ("pair.up", "up"): {"patterns.ts/pair.up.": "R"},
            ("typed: Point = { x", "x"): {"patterns.ts/x.": "R", "patterns.ts/Point#x.": "W"},
            (", y: 2 };", "y"): {"patterns.ts/Point#y.": "W"},
            ("({ x: left", "x"): {"patterns.ts/Point#x.": "R"},
            ("({ x: left", "left"): {"patterns.ts/left.": "W"},
            ("[left, right] =", "right"): {"patterns.ts/right.": "W"},
            ("[left, right] =", "right", 1): {"patterns.ts/right.": "R"},
            ("{ x: each }", "x"): {"patterns.ts/Point#x.": "R"},
            ("{ x: each }", "each"): {"local each@13": "D"},
            ("move({ x: dx", "x"): {"patterns.ts/Point#x.": "R"},
            ("move({ x: dx", "dx"): {"local dx@14": "DW"},
            ("y }: Point", "y"): {"patterns.ts/Point#y.": "R", "local y@14": "D"},
            ("{ x: 1, y: 2 }", "x"): {"patterns.ts/Point#x.": "W"},
            ("[rest]", "rest"): {"local rest@14": "D"},
            ("dx + y + rest", "y"): {"local y@14": "R"},
            ("({ y: y2 = 3", "y2"): {"patterns.ts/y2.": "W"},
            ("left++", "left"): {"patterns.ts/left.": "WR"},
            ("right += 1", "right"): {"patterns.ts/right.": "WR"},
        },
    ),
    "10 imports": (
        "imports.ts",
        {
            ("* as all", "all"): {"origin.ts/": "I"},
            ("Shape as Form", "Shape"): {"origin.ts/Shape#": "I"},
            ("Shape as Form", "Form"): {"origin.ts/Shape#": "I"},
            ("type Shape, start", "Shape"): {"origin.ts/Shape#": "I"},
            ("import old", "old"): {"overloads.ts/": "I"},
            ("import old", "./overloads"): {"overloads.ts/": "I"},
            ("import short", "short"): {"origin.ts/level.": "I"},
            ("import short", "all"): {"origin.ts/": ""},
            ("import short", "level"): {"origin.ts/level.": ""},
            ('import("./origin").then', "./origin"): {"origin.ts/": "I"},
            ("loaded.start()", "start"): {"origin.ts/start().": "R"},
            ('import("./origin").Shape', "./origin"): {"origin.ts/": "I"},
            ('import("./origin").Shape', "Shape"): {"origin.ts/Shape#": ""},
            ('typeof import("./origin")', "./origin"): {"origin.ts/": "I"},
            ("all.start()", "all"): {"origin.ts/": "R"},
            ("all.start()", "start"): {"origin.ts/start().": "R"},
            ("form: Form", "Form"): {"origin.ts/Shape#": ""},
            ("old.twice(short)", "old"): {"overloads.ts/": "R"},
            ("old.twice(short)", "twice"): {"overloads.ts/twice().": "R"},
            ("old.twice(short)", "short"): {"origin.ts/level.": "R"},
        },
    ),
    "11 generics and indexed access": (
        "generics.ts",
        {
            ("Holder<T extends", "T"): {"local T@5": "D"},
            ("item: T", "T"): {"local T@5": ""},
            ("get<K extends", "K"): {"local K@7": "D"},
            ("T[K]", "K"): {"local K@7": ""},
            ("this.item[key]", "item"): {"generics.ts/Holder#item.": "R"},
            ('T["title"]', "title"): {"generics.ts/Named#title.": ""},
            ("item.title", "title"): {"generics.ts/Named#title.": "R"},
            ('Named["title"', "title"): {"generics.ts/Named#title.": ""},
            ('Named["title"', "full-name"): {"generics.ts/Named#full-name.": ""},
            ("holder.first()", "first"): {"generics.ts/Holder#first().": "R"},
            ("pet.sound", "sound"): {"generics.ts/Cat#sound.": "R", "generics.ts/Dog#sound.": "R"},
            ("Partial<Named>", "Partial"): {"typescript 6.0.3 lib/Partial#": ""},
            ("maybe.title", "title"): {"generics.ts/Named#title.": "R"},
            ("? Item", "Item"): {"local Item@24": ""},
            ("{ depth: number }", "depth"): {"generics.ts/Settings#depth.": "D"},
            ("settings!.depth", "depth"): {"generics.ts/Settings#depth.": "R"},
            ("at: number", "at"): {"generics.ts/Event#anon0:at.": "D"},
            ("at: string", "at"): {"generics.ts/Event#anon1:at.": "D"},
            ("event.at", "at"): {"generics.ts/Event#anon0:at.": "R", "generics.ts/Event#anon1:at.": "R"},
            ("Key in keyof", "Key"): {"local Key@25": "D"},
            (": Key }", "Key"): {"local Key@25": ""},
        },
    ),
    "12 computed, quoted and private members": (
        "members.ts",
        {
            ("  [KEY]()", "KEY"): {"members.ts/KEY.": "R", "members.ts/Keyed#`[KEY]`().": "D"},
            ("[Symbol.iterator]", "Symbol.iterator"): {"members.ts/Keyed#`[Symbol.iterator]`().": "D"},
            ('"quoted-name"() {}', "quoted-name"): {"members.ts/Keyed#quoted-name().": "D"},
            ('["lit"]', "lit"): {"members.ts/Keyed#lit().": "D"},
            ("#hidden = 1", "#hidden"): {"members.ts/Keyed#`#hidden`.": "DW"},
            ("7 =", "7"): {"members.ts/Keyed#7.": "DW"},
            ("this.#hidden", "#hidden"): {"members.ts/Keyed#`#hidden`.": "R"},
            ("keyed[KEY]", "KEY"): {"members.ts/KEY.": "R", "members.ts/Keyed#`[KEY]`().": "R"},
            ('keyed["quoted', "quoted-name"): {"members.ts/Keyed#quoted-name().": "R"},
            ("keyed.lit", "lit"): {"members.ts/Keyed#lit().": "R"},
            ("keyed[7]", "7"): {"members.ts/Keyed#7.": "R"},
            ("Color.Red;", "Red"): {"members.ts/Color#Red.": "R"},
            ('Color["dark', "dark-green"): {"members.ts/Color#dark-green.": "R"},
            ("asType: Color.Red", "Color"): {"members.ts/Color#": ""},
            ("asType: Color.Red", "Red"): {"members.ts/Color#Red.": ""},
        },
    ),
    "12 accessors": (
        "classes.ts",
        {
            ("get side", "side"): {"classes.ts/Square#`<get>side`().": "D"},
            ("set side", "side"): {"classes.ts/Square#`<set>side`().": "D"},
            ("square.side = 3", "side"): {"classes.ts/Square#`<set>side`().": "W"},
            ("square.side;", "side"): {"classes.ts/Square#`<get>side`().": "R"},
            ("square.side += 1", "side"): {
                "classes.ts/Square#`<get>side`().": "WR",
                "classes.ts/Square#`<set>side`().": "WR",
            },
        },
    ),
    "13 ambient declarations": (
        "ambient.d.ts",
        {
            ('module "ext"', "ext"): {"ambient.d.ts/ext/": "D"},
            ("extFn(a: number)", "extFn"): {"ambient.d.ts/ext/extFn().": "D"},
            ("extFn(a: string)", "extFn"): {"ambient.d.ts/ext/extFn().": "D"},
            ("const VERSION", "VERSION"): {"ambient.d.ts/VERSION.": "D"},
            ("namespace Lib", "Lib"): {"ambient.d.ts/Lib/": "D"},
        },
    ),
    "13 uses of ambient declarations": (
        "ambient_user.ts",
        {
            ("{ extFn }", "extFn"): {"ambient.d.ts/ext/extFn().": "I"},
            ('from "ext"', "ext"): {"ambient.d.ts/ext/": "I"},
            ("import sheet", "sheet"): {"ambient.d.ts/`*.css`/sheet.": "I"},
            ("extFn(VERSION", "extFn"): {"ambient.d.ts/ext/extFn().": "R"},
            ("VERSION.major", "major"): {"ambient.d.ts/VERSION.major.": "R"},
            ("Lib.load", "load"): {"ambient.d.ts/Lib/load().": "R"},
        },
    ),
    "14 super, this and new": (
        "classes.ts",
        {
            ('super("sq"', "super"): {"classes.ts/Figure#`<constructor>`().": "R"},
            ('super("sq"', "depth"): {"classes.ts/Figure#`<constructor>`().(extra)depth.": "W"},
            ("super.describe", "super"): {},
            ("super.describe", "describe"): {"classes.ts/Figure#describe().": "R"},
            ("this.describe", "describe"): {"classes.ts/Figure#describe().": "R"},
            ("new Maker()", "Maker"): {"classes.ts/Maker.": "R"},
            ("new Square()", "Square"): {"classes.ts/Square#": "R"},
        },
    ),
    "15 JavaScript": (
        "script.js",
        {
            ("const origin", "origin"): {"origin.ts/": "I"},
            ('require("./origin")', "./origin"): {"origin.ts/": "I"},
            ("{ twice }", "twice"): {"overloads.ts/twice().": "I"},
            ("@typedef {{ x", "x"): {"script.js/Pt#x.": "D"},
            ("} Pt", "Pt"): {"script.js/Pt#": "D"},
            ("@typedef {object}", "Config"): {"script.js/Config#": "D"},
            ("@property {number} size", "size"): {"script.js/Config#size.": "D"},
            ("@param {Pt} p", "Pt"): {"script.js/Pt#": ""},
            ("@param {Pt} p", "p", 1): {"local p@13": ""},
            ("return p.x", "x"): {"script.js/Pt#x.": "R"},
            ("config.size", "size"): {"script.js/Config#size.": "R"},
            ("this.field = 1", "field"): {"script.js/Kept#field.": "DW"},
            ("this.field = 2", "field"): {"script.js/Kept#field.": "W"},
            ("return this.field", "field"): {"script.js/Kept#field.": "R"},
            ("prototype.late", "late"): {"script.js/Kept#late().": "DW"},
            ("return this.m()", "m"): {"script.js/Kept#m().": "R"},
            ("this.size = size", "size"): {"script.js/Old().size.": "DW"},
            ("Old.prototype", "grow"): {"script.js/Old().grow().": "DW"},
            ("return this.size", "size"): {"script.js/Old().size.": "R"},
            ("px.cache = ", "cache"): {"script.js/px().cache.": "DW"},
            ("px.cache;", "cache"): {"script.js/px().cache.": "R"},
            ("module.exports", "module"): {},
            ("module.exports", "exports"): {},
            ("{ px, Kept }", "px"): {"script.js/px().": "R"},
            ("{ px, Kept }", "Kept"): {"script.js/Kept#": "R"},
            ("twice(1)", "twice"): {"overloads.ts/twice().": "R"},
            ("origin.start", "origin"): {"origin.ts/": "R"},
            ("origin.start", "start"): {"origin.ts/start().": "R"},
        },
    ),
    "15 exports by assignment": (
        "exporter.js",
        {
            ("exports.shout = ", "shout"): {"exporter.js/shout.": "DW"},
            ("exports.quiet = ", "quiet"): {"exporter.js/inner().": "I"},
            ("exports.quiet = ", "exports"): {},
            ("= inner", "inner"): {"exporter.js/inner().": "R"},
            ("exports.shout()", "shout"): {"exporter.js/shout.": "R"},
        },
    ),
    "15 a class as the whole module": (
        "whole.js",
        {
            ("module.exports", "module"): {},
            ("module.exports", "exports"): {},
            ("= Engine", "Engine"): {"whole.js/Engine#": "R"},
        },
    ),
    "15 users of JavaScript": (
        "script_user.js",
        {
            ("{ px, Kept }", "px"): {"script.js/px().": "I"},
            ("{ px, Kept }", "Kept"): {"script.js/Kept#": "I"},
            ("{ quiet, shout }", "quiet"): {"exporter.js/inner().": "I"},
            ("{ quiet, shout }", "shout"): {"exporter.js/shout.": "I"},
            ("const Engine", "Engine"): {"whole.js/Engine#": "I"},
            ("px({ x: 1 }", "px"): {"script.js/px().": "R"},
            ("px({ x: 1 }", "x", 1): {"script.js/Pt#x.": "W"},
            ("px({ x: 1 }", "size"): {"script.js/Config#size.": "W"},
            ("new Kept()", "Kept"): {"script.js/Kept#": "R"},
            (".late()", "late"): {"script.js/Kept#late().": "R"},
            ("shout();", "shout"): {"exporter.js/shout.": "R"},
            ("quiet();", "quiet"): {"exporter.js/inner().": "R"},
            ("new Engine()", "Engine"): {"whole.js/Engine#": "R"},
            (".go()", "go"): {"whole.js/Engine#go().": "R"},
        },
    ),
    "17 members of objects": (
        "objects.ts",
        {
            ("run() {", "run"): {"objects.ts/factory().anon0:run().": "D"},
            ("arrow: ()", "arrow"): {"objects.ts/factory().anon0:arrow.": "D"},
            ("onClick:", "onClick"): {"objects.ts/handlers.onClick.": "D"},
            ("nested:", "nested"): {"objects.ts/handlers.nested.": "D"},
            ("go() {}", "go"): {"objects.ts/handlers.nested.go().": "D"},
            ('name: "p"', "name"): {"objects.ts/Plugin#name.": "W"},
            ("  setup() {}", "setup"): {"objects.ts/Plugin#setup().": "W", "objects.ts/plugin.setup().": "D"},
            ('{ name: "c"', "name"): {"objects.ts/Plugin#name.": "W"},
            ("setup: () =>", "setup"): {"objects.ts/Plugin#setup().": "W", "objects.ts/checked.setup.": "D"},
        },
    ),
    "17 members of objects elsewhere": (
        "objects_user.ts",
        {
            ("factory().run", "run"): {"objects.ts/factory().anon0:run().": "R"},
            ("factory().arrow", "arrow"): {"objects.ts/factory().anon0:arrow.": "R"},
            ("nested.go", "nested"): {"objects.ts/handlers.nested.": "R"},
            ("nested.go", "go"): {"objects.ts/handlers.nested.go().": "R"},
            ('["onClick"]', "onClick"): {"objects.ts/handlers.onClick.": "R"},
            ("plugin.setup", "setup"): {"objects.ts/Plugin#setup().": "R"},
            ("plugin.name", "name"): {"objects.ts/Plugin#name.": "R"},
            ("checked.name", "name"): {"objects.ts/Plugin#name.": "R"},
            ("checked.setup", "setup"): {"objects.ts/checked.setup.": "R"},
        },
    ),
    "18 imports that lead nowhere": (
        "broken.ts",
        {
            ("{ gone", "gone"): {"local gone@1": "DI"},
            ("Lost as Found", "Lost"): {},
            ("Lost as Found", "Found"): {"local Found@1": "DI"},
            ('"./nowhere"', "./nowhere"): {},
            ("* as nothing", "nothing"): {"local nothing@2": "DI"},
            ("{ absent", "absent"): {"local absent@3": "DI"},
            ("{ absent", "start"): {"origin.ts/start().": "I"},
            ("gone();", "gone"): {"local gone@1": "R"},
            ("found: Found", "Found"): {"local Found@1": ""},
            ("nothing.at", "nothing"): {"local nothing@2": "R"},
            ("nothing.at", "at"): {},
            ("absent;", "absent"): {"local absent@3": "R"},
            ("gone as passed", "gone"): {"local gone@1": "I"},
            ("gone as passed", "passed"): {"local gone@1": "I"},
        },
    ),
    "functions named by what they are assigned to": (
        "functions.ts",
        {
            ("const arrow", "arrow"): {"functions.ts/arrow.": "DW"},
            ("=> named()", "named"): {"functions.ts/named.": "R"},
            ("const expression", "expression"): {"functions.ts/expression.": "DW"},
            ("function self", "self"): {"local self@2": "D"},
            ("return self", "self"): {"local self@2": "R"},
            ("const helper", "helper"): {"functions.ts/named.helper.": "DW"},
            ("return helper", "helper"): {"functions.ts/named.helper.": "R"},
            ("onClick =", "onClick"): {"functions.ts/Fields#onClick.": "DW"},
            ("this.count", "count"): {"functions.ts/Fields#count.": "R"},
            ("static build", "build"): {"functions.ts/Fields#build.": "DW"},
            ("const Made", "Made"): {"functions.ts/Made.": "DW"},
            ("class Inner", "Inner"): {"local Inner@14": "D"},
            ("run() {}", "run"): {"functions.ts/Made.run().": "D"},
            ("new Made", "Made"): {"functions.ts/Made.": "R"},
            (".run()", "run"): {"functions.ts/Made.run().": "R"},
            ("twin(/* first", "twin"): {"functions.ts/outer().twin().": "R"},
            ("twin(/* second", "twin"): {"functions.ts/outer().twin(+1).": "R"},
            ("expando.extra = 1", "extra"): {"functions.ts/expando().extra.": "DW"},
            ("expando.extra;", "extra"): {"functions.ts/expando().extra.": "R"},
            ("label: for", "label"): {},
        },
    ),
    "JSON modules": (
        "json.ts",
        {
            ("import data", "data"): {"data.json/": "I"},
            ("{ title }", "title"): {"data.json/title.": "I"},
            ("data.title", "title"): {"data.json/title.": "R"},
            ("+ title", "title"): {"data.json/title.": "R"},
        },
    ),
}


@pytest.mark.parametrize(("path", "places"), CASES.values(), ids=CASES.keys())
def test_places(tricky: Indexed, path: str, places: Places) -> None:
    found = {place: shown(tricky, path, place) for place in places}
    assert found == dict(places)


def shown(tricky: Indexed, path: str, place: tuple[str, str] | tuple[str, str, int]) -> Answer:
    answer = tricky.at(f"src/{path}", *place)
    return {symbol.removeprefix("src/"): roles for symbol, roles in answer.items()}


def test_the_index_is_clean(tricky: Indexed) -> None:
    assert cleanliness.violations(tricky.index, tricky.text, excuse) == []
    assert set(cleanliness.excused(tricky.index, tricky.text, excuse)) <= {
        "file_definition",
        "keyword",
        "accessor",
        "computed_name",
        "module_specifier",
        "import_alias",
        "renamed_by_a_library",
    }


def test_no_name_is_lost(tricky: Indexed) -> None:
    assert [event for event in tricky.events if event.get("code") == "names_failed"] == []


def test_every_definition_is_enclosed(tricky: Indexed) -> None:
    bare = [
        (document.relative_path, list(one.range))
        for document in tricky.index.documents
        for one in document.occurrences
        if one.symbol_roles & 1 and not one.enclosing_range
    ]
    assert bare == []


DEFINITIONS = {
    "1 overloads": (
        "overloads.ts/twice().",
        [("overloads.ts", 2, "DF"), ("overloads.ts", 3, "DF"), ("overloads.ts", 4, "D")],
    ),
    "4 both of an augmented interface": ("dual.ts/Dual#", [("dual.ts", 1, "D"), ("dual_user.ts", 6, "DF")]),
    "5 namespaces": ("merging.ts/Space/", [("merging.ts", 1, "D"), ("merging.ts", 4, "D")]),
    "5 interfaces": ("merging.ts/Merged#", [("merging.ts", 7, "D"), ("merging.ts", 10, "D")]),
    "5 function and namespace": ("merging.ts/build().", [("merging.ts", 13, "D"), ("merging.ts", 14, "DF")]),
    "13 ambient function": (
        "ambient.d.ts/ext/extFn().",
        [("ambient.d.ts", 2, "D"), ("ambient.d.ts", 3, "D")],
    ),
    "15 a member set twice": ("script.js/Kept#field.", [("script.js", 18, "DW")]),
    "first of two blocks": ("functions.ts/outer().twin().", [("functions.ts", 20, "D")]),
    "second of two blocks": ("functions.ts/outer().twin(+1).", [("functions.ts", 23, "D")]),
}


@pytest.mark.parametrize(("symbol", "places"), DEFINITIONS.values(), ids=DEFINITIONS.keys())
def test_definitions(tricky: Indexed, symbol: str, places: list[tuple[str, int, str]]) -> None:
    found = [
        (path.removeprefix("src/"), line, roles) for path, line, roles in tricky.definitions(f"src/{symbol}")
    ]
    assert found == places


RELATIONSHIPS = {
    "6 extends and implements": (
        "classes.ts/Square#",
        {"classes.ts/Figure#": "i", "classes.ts/Greeter#": "i"},
    ),
    "6 all ancestors": (
        "classes.ts/Wider#",
        {
            "classes.ts/Square#": "i",
            "classes.ts/Figure#": "i",
            "classes.ts/Greeter#": "i",
            "classes.ts/Wide#": "i",
        },
    ),
    "6 an abstract method": ("classes.ts/Square#area().", {"classes.ts/Figure#area().": "ir"}),
    "6 a method of an interface": ("classes.ts/Square#greet().", {"classes.ts/Greeter#greet().": "ir"}),
    "6 overridden over several steps": (
        "classes.ts/Wider#greet().",
        {"classes.ts/Square#greet().": "ir", "classes.ts/Greeter#greet().": "ir"},
    ),
    "6 a static method": ("classes.ts/Square#create().", {"classes.ts/Figure#create().": "ir"}),
    "6 nothing above": ("classes.ts/Figure#", {}),
    "17 a method of a literal": ("objects.ts/plugin.setup().", {"objects.ts/Plugin#setup().": "ir"}),
    "17 a function in a literal": ("objects.ts/checked.setup.", {"objects.ts/Plugin#setup().": "ir"}),
}


@pytest.mark.parametrize(("symbol", "related"), RELATIONSHIPS.values(), ids=RELATIONSHIPS.keys())
def test_relationships(tricky: Indexed, symbol: str, related: dict[str, str]) -> None:
    found = tricky.relationships(f"src/{symbol.split('/')[0]}", f"src/{symbol}")
    assert {other.removeprefix("src/"): flags for other, flags in found.items()} == related


KINDS = {
    "file": ("classes.ts/", 16, "classes.ts", "", ""),
    "abstract class": ("classes.ts/Figure#", 7, "Figure", "export abstract class Figure", "classes.ts/"),
    "interface": ("classes.ts/Greeter#", 21, "Greeter", "export interface Greeter", "classes.ts/"),
    "abstract method": (
        "classes.ts/Figure#area().",
        66,
        "area",
        "abstract area(): number",
        "classes.ts/Figure#",
    ),
    "method": ("classes.ts/Square#area().", 26, "area", "override area()", "classes.ts/Square#"),
    "static method": ("classes.ts/Figure#create().", 80, "create", "static create()", "classes.ts/Figure#"),
    "static field": ("classes.ts/Figure#shared.", 81, "shared", "static shared = 1", "classes.ts/Figure#"),
    "field": ("classes.ts/Figure#1:shared.", 41, "shared", "shared = 2", "classes.ts/Figure#"),
    "parameter property": (
        "classes.ts/Figure#name.",
        41,
        "name",
        "public name: string",
        "classes.ts/Figure#",
    ),
    "method of an interface": (
        "classes.ts/Greeter#greet().",
        67,
        "greet",
        "greet(who: string): void",
        "classes.ts/Greeter#",
    ),
    "constructor": (
        "classes.ts/Square#`<constructor>`().",
        9,
        "constructor",
        "constructor()",
        "classes.ts/Square#",
    ),
    "getter": ("classes.ts/Square#`<get>side`().", 18, "side", "get side()", "classes.ts/Square#"),
    "setter": (
        "classes.ts/Square#`<set>side`().",
        45,
        "side",
        "set side(value: number)",
        "classes.ts/Square#",
    ),
    "enum": ("members.ts/Color#", 11, "Color", "export enum Color", "members.ts/"),
    "enum member": ("members.ts/Color#Red.", 12, "Red", "Red", "members.ts/Color#"),
    "function": ("overloads.ts/twice().", 17, "twice", "export function twice(x: any): any", "overloads.ts/"),
    "function of an arrow": ("functions.ts/arrow.", 17, "arrow", "export const arrow = ()", "functions.ts/"),
    "nested function of an arrow": (
        "functions.ts/named.helper.",
        17,
        "helper",
        "const helper = ()",
        "functions.ts/named.",
    ),
    "field with a function": (
        "functions.ts/Fields#onClick.",
        26,
        "onClick",
        "onClick = ()",
        "functions.ts/Fields#",
    ),
    "class in a constant": (
        "functions.ts/Made.",
        7,
        "Made",
        "export const Made = class Inner",
        "functions.ts/",
    ),
    "function in a literal": (
        "objects.ts/handlers.onClick.",
        26,
        "onClick",
        "onClick: ()",
        "objects.ts/handlers.",
    ),
    "constant": ("origin.ts/level.", 8, "level", "export const level = 1", "origin.ts/"),
    "variable": ("patterns.ts/left.", 61, "left", "let left: number", "patterns.ts/"),
    "type alias": ("dual.ts/Mode#", 55, "Mode", 'export type Mode = "on" | "off"', "dual.ts/"),
    "namespace": ("merging.ts/Space/", 30, "Space", "export namespace Space", "merging.ts/"),
    "property": ("origin.ts/Shape#side.", 41, "side", "side: number", "origin.ts/Shape#"),
    "typedef": ("script.js/Pt#", 55, "Pt", "@typedef {{ x: number }} Pt", "script.js/"),
    "prototype method": (
        "script.js/Kept#late().",
        26,
        "late",
        "Kept.prototype.late = function ()",
        "script.js/Kept#",
    ),
}


@pytest.mark.parametrize(
    ("symbol", "kind", "display", "signature", "owner"), KINDS.values(), ids=KINDS.keys()
)
def test_information(
    tricky: Indexed, symbol: str, kind: int, display: str, signature: str, owner: str
) -> None:
    path = f"src/{symbol.split('/')[0]}"
    found = tricky.information(path, f"src/{symbol}")
    enclosing = tricky.short(tricky.documents[path], found.enclosing_symbol).removeprefix("src/")
    shown = (found.kind, found.display_name, signature_of(found), enclosing)
    assert shown == (kind, display, signature, owner)


EXTENTS = {
    "comment and all": (
        "overloads.ts/twice().",
        0,
        "/** Doubles what it is given. */\nexport function twice(x: number): number;",
    ),
    "overload": ("overloads.ts/twice().", 1, "export function twice(x: string): string;"),
    "decorated class": (
        "decorators.ts/Marked#",
        0,
        "@mark\nexport class Marked {\n  @mark field = 1;\n"
        '  @marked("x")\n  method(@mark first: number) {\n    return first;\n  }\n}',
    ),
    "decorated field": ("decorators.ts/Marked#field.", 0, "@mark field = 1;"),
    "statement of one variable": ("functions.ts/arrow.", 0, "export const arrow = () => named();"),
    "one of two variables": ("patterns.ts/right.", 0, "right: number"),
    "taken by a pattern": ("patterns.ts/up.", 0, "y: up"),
    "parameter property": ("classes.ts/Figure#name.", 0, "public name: string"),
    "accessor": ("classes.ts/Square#`<get>side`().", 0, "get side() {\n    return this.#side;\n  }"),
    "constructor": (
        "classes.ts/Square#`<constructor>`().",
        0,
        'constructor() {\n    super("sq", { depth: 1 });\n  }',
    ),
    "member of a literal": ("objects.ts/handlers.nested.go().", 0, "go() {}"),
    "prototype method": (
        "script.js/Kept#late().",
        0,
        "Kept.prototype.late = function () {\n  return this.m();\n};",
    ),
    "field set in a constructor": ("script.js/Kept#field.", 0, "this.field = 1;"),
}


@pytest.mark.parametrize(("symbol", "nth", "text"), EXTENTS.values(), ids=EXTENTS.keys())
def test_enclosing_ranges(tricky: Indexed, symbol: str, nth: int, text: str) -> None:
    assert tricky.extent(f"src/{symbol.split('/')[0]}", f"src/{symbol}", nth) == text


def test_documentation(tricky: Indexed) -> None:
    def documentation(symbol: str) -> list[str]:
        path = f"src/{symbol.split('/')[0]}"
        return list(tricky.information(path, f"src/{symbol}").documentation)

    assert documentation("script.js/Config#size.") == ["how big"]
    assert documentation("overloads.ts/Meter#") == []


def test_unresolved_imports_are_reported_once(tricky: Indexed) -> None:
    found = [
        (event["path"], event["line"], event["message"])
        for event in tricky.events
        if event.get("code") == "unresolved_import"
    ]
    assert found == [("src/broken.ts", 1, "./nowhere"), ("src/broken.ts", 2, "missing-package")]


def test_symbols_outside_the_workspace_are_described(tricky: Indexed) -> None:
    externals = {one.symbol.removeprefix("codetrail-ts npm "): one for one in tricky.index.external_symbols}
    partial = externals["typescript 6.0.3 lib/Partial#"]
    assert (partial.kind, partial.display_name) == (55, "Partial")
    assert not [symbol for symbol in externals if "data.json" in symbol]
    assert "typescript 6.0.3 lib/Array#" not in externals


def test_names_in_data_are_defined_there(tricky: Indexed) -> None:
    assert tricky.definitions("src/data.json/title.") == [("src/data.json", 1, "D")]
    assert tricky.information("src/data.json", "src/data.json/title.").display_name == "title"


def test_roles_of_tests_and_languages(tricky: Indexed) -> None:
    languages = {path: document.language for path, document in tricky.documents.items()}
    assert languages["src/script.js"] == "javascript"
    assert languages["src/jsx.tsx"] == languages["src/ambient.d.ts"] == "typescript"
