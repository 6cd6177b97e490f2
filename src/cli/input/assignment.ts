import { type LostNumber, lostNumbers } from './read-json.js';
import { findInput, type InputPlace, parseExactJson } from '../../workflow.js';
import { orThrow } from '../run-command.js';
import { setInput, type Workflow } from '../../node.js';
import { UsageError } from '../cli-io.js';

/** The parts of `NODE.INPUT=VALUE`, as the command line has them. */
export interface NamedAssignment {
  /** `NODE.INPUT`, as `findInput` reads it. */
  readonly name: string;
  readonly value: string;
}

/** What goes into which input of a workflow. */
export interface Assignment extends InputPlace {
  readonly value: string;
}

/** Reads `NODE.INPUT=VALUE`: the name ends at the first `=` without a backslash. */
export const parseAssignment = (option: string, text: string): NamedAssignment => {
  const [, name = '', value = ''] = /^((?:\\[^]|[^\\=])*)=([^]*)$/u.exec(text) ?? [];
  const point = name.lastIndexOf('.');
  if (point < 1 || point === name.length - 1) {
    throw new UsageError(
      `${option} takes NODE.INPUT=VALUE, for example ${option} 6.text=sunrise; this is not: ${text}`,
    );
  }
  return { name, value };
};

/** Finds the input that an assignment names; throws where it names none, with the names that are like it. */
export const placed = (workflow: Workflow, { name, value }: NamedAssignment): Assignment => ({
  ...orThrow(findInput(workflow, name)),
  value,
});

/** Sets one input of a workflow; throws for a node that is not there. */
export const assign = (workflow: Workflow, { nodeId, input }: InputPlace, value: unknown): Workflow =>
  orThrow(setInput(workflow, nodeId, input, value));

/**
 * Reads the value of `--set`: JSON where it is JSON, else text as it stands. Integers of any
 * size are sent as they are; numbers beyond every double are refused.
 */
export const parseValue = (text: string): unknown => {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return text;
  }
  const [lost] = lostNumbers(text);
  if (lost !== undefined) {
    throw new UsageError(
      `${lost.text} can't be sent exactly: it is larger than any number here. ` +
        `Use a smaller one, or write it as text ("${lost.text}") if the node reads text.`,
    );
  }
  return value;
};

/** Refuses a workflow file with numbers that could not be sent as they stand there, unless `--set` replaces them. */
export const refuseLostNumbers = (
  file: string,
  lost: readonly LostNumber[],
  replaced: readonly InputPlace[],
): void => {
  const [first, ...more] = lost.filter(({ path }) => !replaced.some((item) => isAt(item, path)));
  if (first === undefined) return;
  const { text, path, line } = first;
  const [nodeId, , input] = path;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const remedy =
    path.length === 3 && path[1] === 'inputs'
      ? `--set '${nodeId}.${input}="${text}"'`
      : `"${text}" in place of ${text}`;
  throw new UsageError(
    `${file === '-' ? 'standard input' : file}, line ${line}: ${path.join('.')} is ${text}${others}, which can't be ` +
      `sent exactly: it is larger than any number here. Use a smaller one, or send it as text: ${remedy}`,
  );
};

const isAt = ({ nodeId, input }: InputPlace, path: readonly string[]): boolean =>
  path[0] === nodeId && path[1] === 'inputs' && path[2] === input;
