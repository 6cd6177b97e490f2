import type { CliEvent } from './cli-event.js';
import { isTerminal } from '../../node.js';
import type { Line } from '../terminal/line.js';

type BatchEvent = Extract<CliEvent, { kind: 'batch' }>;

/** A job of many that is over; nothing of one that goes on. */
export const batchEnd = ({ file, state }: BatchEvent): readonly Line[] =>
  isTerminal(state.phase)
    ? [
        [
          `${file}: `,
          { text: state.phase, style: state.phase === 'completed' ? 'green' : 'red' },
          serverText(state),
        ],
      ]
    : [];

/** Makes the line of a job of many that begins to run, on a server or once more; it keeps which ones run. */
export const batchStarts = (): ((event: BatchEvent) => readonly Line[]) => {
  const known = new Map<number, string>();
  return ({ file, index, state }) => {
    const run = `${state.phase} ${state.server ?? ''} ${state.attempt ?? 1}`;
    const isNew = known.get(index) !== run;
    known.set(index, run);
    return isNew && state.phase === 'in_progress' ? [[`${file}: running${serverText(state)}`]] : [];
  };
};

const serverText = ({ server }: BatchEvent['state']): string => (server === undefined ? '' : ` on ${server}`);
