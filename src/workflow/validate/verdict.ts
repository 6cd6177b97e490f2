/** What an engine does with a workflow: runs it, runs only some of its outputs, or refuses it. */
export type Verdict = 'accepted' | 'partly' | 'refused';
