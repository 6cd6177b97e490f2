import type { Command } from 'commander';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit-code.js';
import { buildProgram } from '../../src/cli/program.js';
import { codeOf, commandHeadings, linesUnder, tableUnder } from './helpers/cli-docs.js';

const program = buildProgram(
  { stdout: new PassThrough(), stderr: new PassThrough(), columns: () => 80 },
  (text) => text,
  () => Promise.resolve(),
);

const headingOf = (command: Command): string => {
  const names = command.registeredArguments.map((argument) => {
    const upper = `${argument.name().toUpperCase()}${argument.variadic ? '…' : ''}`;
    return argument.required ? upper : `[${upper}]`;
  });
  return `### \`${['promptwire', command.name(), ...names].join(' ')}\``;
};

const common = tableUnder('## Common options').map(([option, group]) => ({ flags: codeOf(option), group }));

/** The options that the section of a command tells: those of the groups that it names, those that it names alone, and its own. */
const toldOf = (heading: string): readonly string[] => {
  const [, named = ''] = /\(#common-options\): (.*)\.$/mu.exec(linesUnder(heading).join('\n')) ?? [];
  const names = named.split(', ').map(codeOf);
  const shared = common.filter(
    ({ flags, group = '' }) => names.includes(group) || names.includes(flags.split(' ')[0] ?? ''),
  );
  const rows = linesUnder(heading).some((line) => line.startsWith('| option ')) ? tableUnder(heading) : [];
  return [...shared.map(({ flags }) => flags), ...rows.map(([flags]) => codeOf(flags))];
};

describe('docs/cli.md', () => {
  it('has a section for each command, in the order of the help', () => {
    expect(commandHeadings()).toEqual(program.commands.map(headingOf));
  });

  it.each(program.commands.map((command) => [command.name(), command] as const))(
    'tells of each flag of %s, and of no other',
    (_, command) => {
      expect([...toldOf(headingOf(command))].sort()).toEqual(
        command.options.map(({ flags }) => flags).sort(),
      );
    },
  );

  it('tells each exit code with its name and meaning', () => {
    const told = tableUnder('## Exit codes').map(([code, name, meaning]) => [
      Number(code),
      codeOf(name),
      meaning,
    ]);
    expect(told).toEqual(
      Object.entries(exitCodes).map(([name, { code, meaning }]) => [code, name, `${meaning}.`]),
    );
  });

  it('tells each variable that the help tells', () => {
    const told = tableUnder('## Where it finds the service and the key').map(([name]) => codeOf(name));
    let help = '';
    program.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(told).toEqual(help.match(/PROMPTWIRE_[A-Z_]+/gu));
  });
});

describe('exitCodes', () => {
  it('gives each kind of end a code of its own, but that of diff(1) where workflows differ', () => {
    const { differs, ...others } = exitCodes;
    expect(differs.code).toBe(1);
    const codes = Object.values(others).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
