/**
 * Where a job stands: `submitting` before the service named it, then the interface's five states. `untraceable` is a job
 * that no source knows any more, `unknown` a submission that may or may not have become a job.
 */
export type JobPhase = 'submitting' | 'pending' | 'in_progress' | TerminalPhase;

/** The phases that nothing follows. */
export type TerminalPhase = 'completed' | 'failed' | 'cancelled' | 'untraceable' | 'unknown';

/** Tells whether a job in this phase is over. */
export const isTerminal = (phase: JobPhase): phase is TerminalPhase =>
  phase !== 'submitting' && phase !== 'pending' && phase !== 'in_progress';
