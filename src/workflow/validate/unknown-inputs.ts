import { type Finding, meant, suggesting, warning } from './finding.js';
import type { InputDefinition } from '../definitions.js';
import type { PromptNode } from './read-prompt.js';
import type { Suggest } from './suggest.js';

/** What was found of which input. */
export type Found = [input: string, finding: Finding][];

/**
 * Finds inputs that the class does not declare, which a class of the engine ignores. A missing required input whose name is misspelt is the fix;
 * other names that are like it are suggestions.
 */
export const unknownInputs = (
  { className, definition }: PromptNode,
  given: Readonly<Record<string, unknown>>,
  live: readonly InputDefinition[],
  suggest: Suggest,
): Found => {
  const found: Found = [];
  if (definition.takesAnything) return found;
  const known = new Set([...live.map(({ name }) => name), ...definition.hidden]);
  const absent = live.map(({ name }) => name).filter((name) => !Object.hasOwn(given, name));
  for (const name of Object.keys(given)) {
    if (known.has(name) || given[name] === undefined || isOfEditor(name, live)) continue;
    const like = suggest(name, absent);
    const isSure =
      like?.differs === 'same' ||
      (like?.differs === 'typo' && definition.inputOf(like.name)?.group === 'required');
    const [fix, suggestion] = isSure ? [like.name] : [undefined, like?.name];
    const what = `${isNoInput(className, definition)}${meant(fix, suggestion)}.`;
    const finding = suggesting(warning('unknown_input', what, fix), suggestion);
    found.push([name, definition.isForeign ? { ...finding, serverOnly: true } : finding]);
  }
  return found;
};

/** Only of a class that is known to be the engine's own is it certain that nothing takes the input. */
const isNoInput = (className: string, { isForeign, isOfEngine }: PromptNode['definition']): string => {
  if (isOfEngine) return `is no input of ${className}: the engine ignores it`;
  return `is no input that ${className} declares${isForeign ? ': its pack may take it all the same' : ''}`;
};

/** The editor saves the state of its upload button as an input. */
const isOfEditor = (name: string, live: readonly InputDefinition[]): boolean =>
  /^(?:upload|audioUI|videoUI|choose file to upload)$/iu.test(name) &&
  live.some(({ options }) => Object.keys(options).some((option) => option.endsWith('_upload')));
