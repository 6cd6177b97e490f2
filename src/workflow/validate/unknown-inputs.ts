import { type Finding, meant, warning } from './finding.js';
import type { InputDefinition } from '../definitions.js';
import type { PromptNode } from './read-prompt.js';
import type { Suggest } from './suggest.js';

/** What was found of which input. */
export type Found = [input: string, finding: Finding][];

/** Finds inputs that the class does not declare, which the engine ignores; the fix is the name that was meant. */
export const unknownInputs = (
  { className, definition }: PromptNode,
  given: Readonly<Record<string, unknown>>,
  live: readonly InputDefinition[],
  suggest: Suggest,
): Found => {
  const found: Found = [];
  const known = new Set([...live.map(({ name }) => name), ...definition.hidden]);
  const absent = live.map(({ name }) => name).filter((name) => !Object.hasOwn(given, name));
  for (const name of Object.keys(given)) {
    if (known.has(name) || given[name] === undefined || isOfEditor(name, live)) continue;
    const fix = suggest(name, absent);
    found.push([
      name,
      warning('unknown_input', `is no input of ${className}: the engine ignores it${meant(fix)}.`, fix),
    ]);
  }
  return found;
};

/** The editor saves the state of its upload button as an input. */
const isOfEditor = (name: string, live: readonly InputDefinition[]): boolean =>
  /^(?:upload|audioUI|videoUI|choose file to upload)$/iu.test(name) &&
  live.some(({ options }) => Object.keys(options).some((option) => option.endsWith('_upload')));
