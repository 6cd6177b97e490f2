import { type Finding, meant, suggesting, warning } from './finding.js';
import type { InputDefinition } from '../definitions.js';
import type { PromptNode } from './read-prompt.js';
import type { Suggest } from './suggest.js';

/** What was found of which input. */
export type Found = [input: string, finding: Finding][];

/**
 * Finds inputs that the class does not declare, which the engine ignores. A missing required input whose name is misspelt is the fix;
 * other names that are like it are suggestions.
 */
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
    const like = suggest(name, absent);
    const isSure =
      like?.differs === 'same' ||
      (like?.differs === 'typo' && definition.inputOf(like.name)?.group === 'required');
    const [fix, suggestion] = isSure ? [like.name] : [undefined, like?.name];
    const what = `is no input ${definition.isForeign ? `that ${className} declares: its pack may take it all the same` : `of ${className}: the engine ignores it`}${meant(fix, suggestion)}.`;
    const finding = suggesting(warning('unknown_input', what, fix), suggestion);
    found.push([name, definition.isForeign ? { ...finding, serverOnly: true } : finding]);
  }
  return found;
};

/** The editor saves the state of its upload button as an input. */
const isOfEditor = (name: string, live: readonly InputDefinition[]): boolean =>
  /^(?:upload|audioUI|videoUI|choose file to upload)$/iu.test(name) &&
  live.some(({ options }) => Object.keys(options).some((option) => option.endsWith('_upload')));
