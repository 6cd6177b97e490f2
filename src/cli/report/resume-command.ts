import type { EndEvent } from './cli-event.js';

/** The command that goes on where this one ended, ready for a shell; `undefined` where nothing is left to do. */
export const resumeCommand = ({ exit, stage, promptId }: EndEvent): string | undefined => {
  if (promptId === undefined) return undefined;
  if (exit === 'untraceable') return undefined;
  if (stage === 'watch' || stage === 'cancel') return `promptwire follow ${shellWord(promptId)}`;
  const isLeft = exit === 'incomplete' || (stage === 'download' && exit !== 'done');
  return isLeft ? `promptwire outputs ${shellWord(promptId)}` : undefined;
};

const shellWord = (text: string): string =>
  /^[\w.:][\w.:-]*$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
