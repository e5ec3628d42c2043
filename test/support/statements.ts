import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Statement } from '../../src/database/database.js';

const SOURCES = new URL('../../src/', import.meta.url);

/** Sources that do not run in the service: the schema and the tests. */
const LEFT_OUT = /^database\/migrations\/|\.entity\.ts$|\.spec\.ts$/;

/** A string literal in the sources. */
export interface Text {
  /** File and line. */
  where: string;
  /** The parts before, between and after its `${…}`. */
  parts: string[];
}

export interface FoundStatement {
  /** `EXPORT of FILE`. */
  name: string;
  statement: Statement;
}

/** The texts in the sources that name one of the tables, and every statement that these files export. */
export async function statementsOn(tables: readonly string[]): Promise<{
  texts: Text[];
  statements: FoundStatement[];
}> {
  const named = new RegExp(`\\b(${tables.join('|')})\\b`);
  const texts: Text[] = [];
  const statements: FoundStatement[] = [];
  for (const file of sourceFiles()) {
    if (!named.test(read(file))) continue;
    const own = textsOf(file).filter(({ parts }) => parts.some((part) => named.test(part)));
    if (own.length === 0) continue;
    texts.push(...own);
    for (const [name, value] of Object.entries(await import(new URL(file, SOURCES).href)))
      if (isStatement(value)) statements.push({ name: `${name} of ${file}`, statement: value });
  }
  return { texts, statements };
}

/** Whether the statement has all parts of the text, in their order. */
export function isMadeOf({ text }: Statement, { parts }: Text): boolean {
  let end = 0;
  return parts.every((part) => {
    const start = text.indexOf(part, end);
    end = start + part.length;
    return start !== -1;
  });
}

/** The imports of a table's entity that are not only of its type: a repository needs one. */
export function usesOfEntity(table: string): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const entity = files.find(
    (file) => file.endsWith('.entity.ts') && read(file).includes(`@Entity('${table}')`),
  );
  const imported = new RegExp(`^import (?!type).*/${entity?.split('/').at(-1)?.replace('.ts', '')}`, 'm');
  return sourceFiles().filter((file) => imported.test(read(file)));
}

function sourceFiles(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts') && !LEFT_OUT.test(file));
}

function read(file: string): string {
  return readFileSync(new URL(file, SOURCES), 'utf8');
}

function textsOf(file: string): Text[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const texts: Text[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) return;
    const parts = partsOf(node);
    const { line } = source.getLineAndCharacterOfPosition(node.end);
    if (parts) texts.push({ where: `src/${file}:${line + 1}`, parts });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function partsOf(node: ts.Node): string[] | null {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
}

function isStatement(value: unknown): value is Statement {
  const { name, text } = (value ?? {}) as Partial<Statement>;
  return typeof name === 'string' && typeof text === 'string';
}
