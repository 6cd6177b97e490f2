import { commandHint, commandOptions, wordOptions } from '../../src/cli/command-options.js';
import { describe, expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { buildProgram } from '../../src/cli/program.js';
import { codeOf, tableUnder } from './helpers/cli-docs.js';
import { PassThrough } from 'node:stream';
import ts from 'typescript';

/** The files of TypeScript at a path: one, or all of a folder. */
const filesAt = (path: string): readonly string[] =>
  path.endsWith('.ts')
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' })
        // Those of Redis are written in another language.
        .filter((file) => file.endsWith('.ts') && !/(?:^|\/)scripts?(?:\/|\.ts$)/u.test(file))
        .map((file) => `${path}/${file}`);

/** The sources of a file or of all files of a folder. */
const sources = (path: string): readonly string[] => filesAt(path).map((file) => readFileSync(file, 'utf8'));

const parsed = new Map<string, ts.SourceFile>();

/** Parses each file once, however often it is walked through. */
const parse = (file: string): ts.SourceFile => {
  const tree =
    parsed.get(file) ??
    ts.createSourceFile(file, readFileSync(file, 'utf8'), {
      languageVersion: ts.ScriptTarget.Latest,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    });
  parsed.set(file, tree);
  return tree;
};

/** Calls `visit` with every node of the source files at these paths. */
const walk = (paths: readonly string[], visit: (node: ts.Node) => void): void => {
  const each = (node: ts.Node): void => {
    visit(node);
    ts.forEachChild(node, each);
  };
  for (const file of paths.flatMap(filesAt)) each(parse(file));
};

/** The options of the library: the members of its interfaces of options. */
const libraryOptions = (): ReadonlySet<string> => {
  const names = new Set<string>();
  const files = [
    'src/client/client-options.ts',
    'src/node.ts',
    'src/core/http/rest-options.ts',
    'src/core/files/download-state.ts',
    'src/client/jobs',
    'src/server/gateway',
    'src/server/queue',
    'src/page/remote',
    'src/workflow',
    'src/testing/recording',
  ];
  walk(files, (node) => {
    if (
      !ts.isInterfaceDeclaration(node) ||
      !/(?:Options|CallerLimits|Ports|Retention)$/u.test(node.name.text)
    )
      return;
    for (const member of node.members)
      if (ts.isPropertySignature(member) && ts.isIdentifier(member.name)) names.add(member.name.text);
  });
  return names;
};

/** The folders that the command uses. */
const folders = [
  ...['errors', 'http', 'socket', 'files', 'endpoints', 'platform', 'redaction', 'state', 'interop'].map(
    (name) => `core/${name}`,
  ),
  ...['client/dialects', 'client/jobs', 'server/gateway', 'server/queue', 'page', 'workflow'],
  'testing/recording',
];

/** The sentences of the folders that the command uses, which are all but those of pages and of tests. */
const messages = (): readonly string[] => {
  const texts: string[] = [];
  const files = [
    ...folders.map((folder) => `src/${folder}`),
    'src/client/client-options.ts',
    'src/client/client.ts',
  ];
  walk(files, (node) => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node);
    if (isText && / /u.test(node.text)) texts.push(node.text);
  });
  return texts;
};

/** The options that errors are about, by their member `option`. */
const optionsOfErrors = (): readonly string[] => {
  const names = new Set<string>();
  const files = folders.map((folder) => `src/${folder}`);
  walk(files, (node) => {
    if (
      ts.isPropertyAssignment(node) &&
      ts.isIdentifier(node.name) &&
      node.name.text === 'option' &&
      ts.isStringLiteral(node.initializer)
    )
      names.add(node.initializer.text);
  });
  return [...names];
};

/** Options that the command passes to no call, so that no error of it can be about them. */
const neverPassed = [
  'extraData',
  'partnerKey',
  'submissionId',
  'shortLinks',
  'maxBytes',
  'perSecond',
  'WebSocket',
  'recordWithinMs',
  'jobBytes',
  'clientBytes',
  'keyPrefix',
  'imageBytes',
  'maxTemplates',
  'templateBytes',
  'logger',
];

/** What errors call the arguments of functions that programs call, and options that no command has: an operator's, a page's. */
const ownOfPrograms = [
  'capacity',
  'client',
  'concurrency',
  'definitions',
  'file',
  'id',
  'jobs',
  'key',
  'promptId',
  'server',
  'source',
  'tags',
  'url',
  'weight',
  'workflows',
];

/** Options whose names are words of the language as well, and that messages name as options. */
const words = ['dialect', 'headers', 'agent'];

describe('an option that an error names', () => {
  const said = messages().join('\n');
  const named = [...libraryOptions()]
    .filter((option) => /[A-Z]/u.test(option) || words.includes(option))
    .filter((option) => !ownOfPrograms.includes(option))
    .filter((option) => new RegExp(`\\b${option}\\b`, 'u').test(said));

  it('N4 is found in the messages', () => {
    expect(named).toEqual(expect.arrayContaining(['baseUrl', 'dialect', 'timeoutMs', 'allowClearText']));
  });

  it.each(named)('N4 exists in the command: %s', (option) => {
    if (neverPassed.includes(option)) {
      for (const source of sources('src/cli')) expect(source).not.toMatch(new RegExp(`\\b${option}:`, 'u'));
      return;
    }
    expect(Object.keys(commandOptions)).toContain(option);
  });

  it.each(optionsOfErrors())('N4 exists in the command where an error is about it: %s', (option) => {
    if (!neverPassed.includes(option) && !ownOfPrograms.includes(option))
      expect({ ...commandOptions, ...wordOptions }).toHaveProperty(option);
  });

  const program = buildProgram(
    { stdout: new PassThrough(), stderr: new PassThrough(), columns: () => 80 },
    (text) => text,
    () => Promise.resolve(),
  );
  const flags = new Set(program.commands.flatMap(({ options }) => options.map(({ long }) => long)));
  const variables = tableUnder('## Where it finds the service and the key').map(([name]) => codeOf(name));
  const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

  it.each(Object.entries({ ...commandOptions, ...wordOptions }))(
    'N4 is taken by the command as it says: %s as %s',
    (_, text) => {
      const names = text.match(/--[a-z-]+|[A-Z]+_[A-Z_]+/gu) ?? [];
      expect(names).not.toEqual([]);
      for (const name of names) expect([...flags, ...variables, ...proxies]).toContain(name);
    },
  );

  it('N4 is named as the command has it, once', () => {
    const error = { message: 'baseUrl would send the key in clear text.', hint: 'Set allowClearText.' };
    const hint = commandHint(error);
    expect(hint).toBe(
      'Set allowClearText. Of the command: baseUrl is --base-url or PROMPTWIRE_BASE_URL; allowClearText is --allow-clear-text or PROMPTWIRE_ALLOW_CLEAR_TEXT=1.',
    );
    expect(commandHint({ ...error, hint })).toBe(hint);
    expect(commandHint({ message: 'No.', hint: 'Wait.' })).toBe('Wait.');
    const refused = { message: 'name takes letters.', hint: 'Change it.' };
    expect(commandHint({ ...refused, option: 'name' })).toBe('Change it. Of the command: name is --name.');
    expect(commandHint(refused)).toBe('Change it.');
    // One way is enough, where the hint has it already; a longer option is another one.
    const named = "Create the client with dialect: 'v2' (the command: --dialect v2).";
    expect(commandHint({ message: 'It is another.', hint: named, option: 'dialect' })).toBe(named);
    expect(commandHint({ message: 'timeoutMs is 0.', hint: 'As --timeout-of-all.' })).toContain(
      'timeoutMs is --timeout',
    );
  });
});
