import { Command, type Option } from 'commander';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { withConnection, withFrom, withSaving } from '../src/cli/commands/common-options.js';
import { exitCodes } from '../src/cli/exit-code.js';
import { withServers } from '../src/cli/input/server-flags.js';
import { buildProgram } from '../src/cli/program.js';

/** Where the reference of the command is. */
export const commandPageFile = new URL('../docs/cli.md', import.meta.url);

/** The command with its definitions; it runs nothing. */
export const program = buildProgram(
  { stdout: new PassThrough(), stderr: new PassThrough(), columns: () => 80 },
  (text) => text,
  () => Promise.resolve(),
);

/** Options that commands take together, by the name that their sections link to. */
const groups = Object.entries({
  connection: withConnection,
  servers: withServers,
  reading: withFrom,
  saving: withSaving,
}).map(([name, add]) => ({ name, options: add(new Command()).options }));

/** How a page can tell that two options are the same. */
const keyOf = ({ flags, description }: Option): string => `${flags}: ${description}`;

/** The options of several groups, or of many commands without a group: those that the page tells once. */
const shared: readonly (readonly [name: string, option: Option])[] = [
  ...groups.flatMap(({ name, options }) => options.map((option) => [name, option] as const)),
  ...['--timeout <seconds>', '--no-preview'].map((flags) => {
    const option = program.commands.flatMap(({ options }) => options).find((one) => one.flags === flags);
    if (option === undefined) throw new Error(`no command has ${flags}`);
    return ['', option] as const;
  }),
];

/** What a command takes of the common options, and its own. */
export const optionsOf = ({ options }: Command): { common: readonly string[]; own: readonly Option[] } => {
  const keys = new Set(options.map(keyOf));
  const whole = groups.filter((group) => group.options.every((option) => keys.has(keyOf(option))));
  const told = new Set(whole.flatMap((group) => group.options.map(keyOf)));
  const alone = options.filter(
    (option) => !told.has(keyOf(option)) && shared.some(([, other]) => keyOf(other) === keyOf(option)),
  );
  for (const option of alone) told.add(keyOf(option));
  return {
    common: [...whole.map(({ name }) => name), ...alone.map(({ long }) => `\`${long ?? ''}\``)],
    own: options.filter((option) => !told.has(keyOf(option))),
  };
};

/** The heading of a command: its synopsis. */
export const headingOf = (command: Command): string => {
  const names = command.registeredArguments.map((argument) => {
    const upper = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`;
    return argument.required ? upper : `[${upper}]`;
  });
  return `### \`${['promptwire', command.name(), ...names].join(' ')}\``;
};

/**
 * The page with its tables and the sections of its commands as the definitions are now.
 *
 * It replaces the tables below "Common options" and "Exit codes", and of each command the heading, the first paragraph and the
 * table of its options; what else stands there is written by hand.
 */
export const commandPage = async (page: string): Promise<string> => {
  const sections = page.split(/^(?=## )/mu).map((section) => {
    if (section.startsWith('## Common options\n')) return withTable(section, commonTable());
    if (section.startsWith('## Exit codes\n')) return withTable(section, exitTable());
    if (section.startsWith('## Commands\n')) return commandsSection(section);
    return section;
  });
  const path = fileURLToPath(commandPageFile);
  return format(sections.join(''), { ...(await resolveConfig(path)), filepath: path });
};

const commandsSection = (section: string): string => {
  const [head = '', ...before] = section.split(/^(?=### )/mu);
  const notes = new Map(before.map((text) => [text.slice(0, text.indexOf('\n')), notesOf(text)]));
  return [head, ...program.commands.map((command) => commandSection(command, notes))].join('');
};

/** What is written by hand in the section of a command. */
const notesOf = (section: string): string =>
  section
    .split(/\n{2,}/u)
    .slice(2)
    .filter((paragraph) => !paragraph.startsWith('| option '))
    .join('\n\n');

const commandSection = (command: Command, notes: ReadonlyMap<string, string>): string => {
  const heading = headingOf(command);
  const { common, own } = optionsOf(command);
  const takes = common.length === 0 ? '' : `[Common options](#common-options): ${common.join(', ')}.`;
  return [
    heading,
    `${command.description()} ${takes}`,
    own.length === 0 ? '' : table(['option', 'meaning'], own.map(rowOf)),
    notes.get(heading) ?? '',
    '',
  ].join('\n\n');
};

const commonTable = (): string =>
  table(
    ['option', 'of', 'meaning'],
    shared.map(([name, option]) => {
      const [flags, meaning] = rowOf(option);
      return [flags, name, meaning];
    }),
  );

const exitTable = (): string =>
  table(
    ['code', 'name', 'meaning'],
    Object.entries(exitCodes).map(([name, { code, meaning }]) => [
      String(code),
      `\`${name}\``,
      `${meaning}.`,
    ]),
  );

const rowOf = (option: Option): [flags: string, meaning: string] => [
  `\`${option.flags}\``,
  sentence(`${option.description}${choicesOf(option)}${defaultOf(option)}`),
];

const choicesOf = ({ argChoices = [], description }: Option): string => {
  const untold = argChoices.filter((choice) => !new RegExp(`\\b${choice}\\b`, 'u').test(description));
  return untold.length === 0 ? '' : `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`;
};

const defaultOf = ({ defaultValue, negate, description }: Option): string =>
  defaultValue === undefined || negate || description.includes('default')
    ? ''
    : `; default \`${String(defaultValue)}\``;

/** A description of the help as a sentence of a page: its options, variables, headers and patterns as code. */
const sentence = (description: string): string => {
  const text = description
    .split(/(`[^`]*`)/u)
    .map((part) => (part.startsWith('`') ? part : part.replace(codes, '`$&`')))
    .join('');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replaceAll('|', '\\|');
};

const codes =
  /(?<![\w-])--[a-z-]+|\bPROMPTWIRE_[A-Z_]+|(?:\{[\w|]+\}-?)+|'Name: value'|@FILE|https?:\/\/[\w.]+|\[SUBFOLDER\/\]NAME|NAME \[output\]|name:token|\/mcp\b|\/webhooks\b|\bobject_info\b/gu;

const withTable = (section: string, rows: string): string => {
  const lines = section.split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const last = lines.findLastIndex((line) => line.startsWith('|'));
  return [...lines.slice(0, first), rows, ...lines.slice(last + 1)].join('\n');
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
