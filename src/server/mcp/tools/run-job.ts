import { type Arguments, numberArgument } from './read-args.js';
import { type Content, text, type ToolCall, type ToolContext, type ToolResult } from './tool.js';
import { followRun } from '../follow-run.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { Observable } from 'rxjs';
import type { PlannedRun } from '../run-guard.js';

/** The argument that every tool with a run has. */
export const waitArgument = {
  type: 'number',
  minimum: 0,
  maximum: 3600,
  description: 'How long to wait for the end; default 50. With 0 the answer is the id of the job.',
} as const;

/** Asks a person where that is needed, submits one job, and gives its end, or its id where it goes on. */
export const runTool = async (
  context: ToolContext,
  planned: PlannedRun,
  args: Arguments,
  call: ToolCall,
  run: () => Observable<JobState>,
): Promise<ToolResult> => {
  const { guard, service, show, maxWaitSeconds, onCancelled } = context;
  const question = guard.question(planned, call.confirmed);
  if (question !== undefined) return { _tag: 'Ask', question };
  guard.take();
  const seconds = Math.min(numberArgument(args, 'wait_seconds', 50), maxWaitSeconds);
  const { state, why } = await followRun(run(), seconds, call);
  if (why === 'cancelled') {
    if (onCancelled === 'detach') return text(`The request was cancelled; job ${state.promptId} goes on.`);
    await service.cancel(state.promptId);
    return text(`The request was cancelled, and job ${state.promptId} with it.`);
  }
  return ended(state, await show(state));
};

/** The content of a job; that it failed is an error of the tool, which a model has to see. */
export const ended = (state: JobState, content: readonly Content[]): ToolResult => ({
  _tag: 'Content',
  content,
  isError: state.phase === 'failed' || state.phase === 'unknown' || state.phase === 'untraceable',
});
