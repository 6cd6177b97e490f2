import type { Frame } from './frame.js';
import type { RunningPrompts } from './running-prompts.js';

/**
 * Tells which job a frame belongs to, and lets `running` see it.
 *
 * That is the job it names. A picture or text that names none (binary types 1 and 3) belongs to the only job that runs,
 * and to nobody while several do or none is known to; any other frame without a name belongs to nobody.
 */
export const ownerOf = (frame: Frame, running: RunningPrompts): string | undefined => {
  running.see(frame);
  if (frame.promptId !== undefined) return frame.promptId;
  return frame._tag === 'Preview' || frame._tag === 'Text' ? running.only() : undefined;
};
