import type { McpOptions } from './mcp-options.js';
import type { NodeDefinitions } from '../../workflow/definitions.js';
import { paidNodes } from '../../workflow/preflight/paid-nodes.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A run that is about to be submitted. */
export interface PlannedRun {
  /** As a person knows it. */
  readonly name: string;
  /** Undefined if only the gateway has it. */
  readonly workflow: Workflow | undefined;
  /** Undefined if the service gives none. */
  readonly definitions: NodeDefinitions | undefined;
}

/** What a person said to a question; `unasked` before it, `cannot` where the host can't ask. */
export type Confirmed = 'yes' | 'no' | 'unasked' | 'cannot';

/** Bounds what a model may spend. */
export interface RunGuard {
  /** The question that a person has to answer first; undefined if the run may begin. Throws where it may not. */
  readonly question: (run: PlannedRun, confirmed: Confirmed) => string | undefined;
  /** Takes one of the jobs that are left; throws `InvalidConfig` once all are taken. */
  readonly take: () => void;
}

/** Counts the jobs of all calls, and knows which runs need the word of a person. */
export const createRunGuard = ({ maxJobs = 100, confirm = 'paid' }: McpOptions): RunGuard => {
  let taken = 0;
  const left = (): number => maxJobs - taken;
  const refuseBeyond = (): void => {
    if (left() > 0) return;
    throw serviceError('InvalidConfig', {
      option: 'maxJobs',
      message: `This server submits at most ${maxJobs} jobs, and has submitted them.`,
      hint: 'Nothing was sent. Ask the person who runs the server to start it again, or with a higher limit.',
    });
  };
  return {
    question: (run, confirmed) => {
      refuseBeyond();
      const reason = reasonToAsk(run, confirm);
      if (reason === undefined || confirmed === 'yes') return undefined;
      if (confirmed === 'unasked')
        return `${reason} Run it? ${maxJobs - left()} of ${maxJobs} jobs were submitted so far.`;
      throw serviceError('InvalidConfig', {
        option: 'confirm',
        message:
          confirmed === 'no'
            ? 'The person did not agree to this run.'
            : `${reason} A person has to agree to that, and this host can't ask.`,
        hint:
          confirmed === 'no'
            ? 'Nothing was sent. Do not repeat it; ask what to change.'
            : 'Nothing was sent. The person who runs the server can let such runs pass (`confirm: never`).',
      });
    },
    take: () => {
      refuseBeyond();
      taken += 1;
    },
  };
};

const reasonToAsk = (
  { name, workflow, definitions }: PlannedRun,
  confirm: McpOptions['confirm'],
): string | undefined => {
  if (confirm === 'never') return undefined;
  const paid = workflow === undefined || definitions === undefined ? [] : paidNodes(workflow, definitions);
  if (paid.length > 0) {
    const nodes = paid.map(({ nodeId, className }) => `${className} (node ${nodeId})`).join(', ');
    return `${name} has nodes that a partner charges for: ${nodes}.`;
  }
  return confirm === 'always' ? `${name} is about to run.` : undefined;
};
