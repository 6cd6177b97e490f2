import { reportRange } from '../report-range.js';

/** A process of the board whose figure leaves behind what its first argument names. */
const [what = '', from, count] = process.argv.slice(2);

const leave: Readonly<Record<string, () => void>> = {
  nothing: () => undefined,
  rejection: () => void Promise.reject(new Error('planted')),
  exception: () => void setImmediate(() => explode()),
  warning: () => process.emitWarning('planted'),
  deprecation: () => process.emitWarning('planted', 'DeprecationWarning'),
  'standard error': () => void process.stderr.write('planted\n'),
  'no tally': () => process.exit(0),
};

const explode = (): never => {
  throw new Error('planted');
};

const run = (): Promise<{ counts: Record<string, number>; problems: readonly string[] }> => {
  leave[what]?.();
  return Promise.resolve({ counts: {}, problems: [] });
};

const tally = await reportRange({ id: what, run }, { from: Number(from), count: Number(count) });
process.stdout.write(JSON.stringify(tally));
