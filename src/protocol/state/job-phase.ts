/**
 * Where a job stands: `submitting` before the service named it, then the interface's five states, or `untraceable`
 * when no source knows the job any more.
 */
export type JobPhase =
  'submitting' | 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'untraceable';

/** The phases that nothing follows. */
export type TerminalPhase = Extract<JobPhase, 'completed' | 'failed' | 'cancelled' | 'untraceable'>;

/** Tells whether a job in this phase is over. */
export const isTerminal = (phase: JobPhase): phase is TerminalPhase =>
  phase === 'completed' || phase === 'failed' || phase === 'cancelled' || phase === 'untraceable';
