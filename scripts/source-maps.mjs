import { readFileSync } from 'node:fs';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import ts from 'typescript';

/** A docstring or a comment on lines of its own. */
const comment = /^[ \t]*(?:\/\*\*[^]*?\*\/|\/\/.*)[ \t]*$/gm;

const blank = (text) => text.replace(/[^\n]+/g, '');

/** Leaves comments out of what is bundled: the declarations have the docstrings. Lines keep their numbers. */
export const withoutComments = {
  name: 'without-comments',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replace(comment, blank),
    }));
  },
};

/** The statements of a module that run, on the lines where they are; the declarations of the package have its types. */
const whatRuns = (text) => {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.ES2022);
  const parts = source.statements.map((statement, index) => {
    const before = text.slice(source.statements[index - 1]?.end ?? 0, statement.getStart(source));
    const own = statement.getText(source);
    const runs = !(
      ts.isImportDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    );
    return blank(before) + (runs ? own : blank(own));
  });
  return `${parts.join('')}\n`;
};

/** Maps positions to lines alone: of each line of the script, where it begins and where another line of the source does. */
const linesOnly = (segments) =>
  segments
    .filter(
      ([, source, line], index) => source !== segments[index - 1]?.[1] || line !== segments[index - 1][2],
    )
    .map(([column, source, line]) => [column, source, line, 0]);

/** A map with as little as leads from a script to the lines of its sources, and shows them. */
export const leanMap = (text) => {
  const map = JSON.parse(text);
  return JSON.stringify({
    ...map,
    sourcesContent: map.sourcesContent.map(whatRuns),
    names: [],
    mappings: encode(decode(map.mappings).map(linesOnly)),
  });
};
