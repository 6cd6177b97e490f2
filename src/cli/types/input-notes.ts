import { commentLines } from './text.js';
import type { InputDefinition } from '../../workflow.js';

/** What an editor shows of an input: its tooltip, default and bounds. */
export const inputNotes = ({ options }: InputDefinition): readonly string[] => {
  const { tooltip, default: initial, min, max, step } = options;
  const facts = [
    ...(isPlain(initial) ? [`default ${shown(initial)}`] : []),
    ...(isNumber(min) && isNumber(max) ? [`from ${min} to ${max}`] : []),
    ...(isNumber(min) && !isNumber(max) ? [`at least ${min}`] : []),
    ...(!isNumber(min) && isNumber(max) ? [`at most ${max}`] : []),
    ...(isNumber(step) ? [`in steps of ${step}`] : []),
  ].join(', ');
  return [
    ...(typeof tooltip === 'string' ? commentLines(tooltip) : []),
    ...(facts === '' ? [] : commentLines(`${facts.charAt(0).toUpperCase()}${facts.slice(1)}.`)),
  ];
};

type Plain = string | number | bigint | boolean;

const isPlain = (value: unknown): value is Plain =>
  isNumber(value) ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value !== '' && value.length <= 80);

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const shown = (value: Plain): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));
