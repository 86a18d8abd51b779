"use strict";
/*
 * The workspace that the self-test indexes: a solution of two projects that were never built, paths, a package of
 * the workspace that was never installed, and a script that no configuration lists.
 */
const json = (value) => JSON.stringify(value);

const FILES = {
  "package.json": json({ name: "shop", version: "1.0.0", workspaces: ["packages/*"] }),
  "tsconfig.json": json({ files: [], references: [{ path: "packages/items" }, { path: "packages/till" }] }),
  "packages/items/package.json": json({ name: "@shop/items", version: "1.0.0", main: "dist/index.js" }),
  "packages/items/tsconfig.json": json({
    compilerOptions: { composite: true, rootDir: "src", outDir: "dist" },
    include: ["src"],
  }),
  "packages/items/src/index.ts": `export interface Item { label(): string }
export class Book implements Item {
  constructor(readonly title: string) {}
  label() { return this.title; }
}
export function price(value: number): number;
export function price(value: string): string;
export function price(value: any) { return value; }
`,
  "packages/till/package.json": json({ name: "@shop/till", version: "1.0.0" }),
  "packages/till/tsconfig.json": json({
    compilerOptions: { composite: true, outDir: "dist", paths: { "~/*": ["./src/*"] } },
    references: [{ path: "../items" }],
  }),
  "packages/till/src/names.ts": "export { price as cost } from '@shop/items';\n",
  "packages/till/src/till.ts": `import { Book, type Item } from '../../items/src/index';
import { cost } from '~/names';
const book = new Book('a');
export const show = (item: Item) => item.label() + cost(book.title);
`,
  "script.js": "import { show } from './packages/till/src/till';\nshow;\n",
};

module.exports = { FILES };
