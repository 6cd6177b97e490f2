import { createInterface } from 'node:readline/promises';
import { once } from 'node:events';
import { type NodeDefinitions, paidNodes } from '../../workflow.js';
import { asServiceChecks } from './check-workflow.js';
import { paidText } from '../report/preflight-lines.js';
import { safeLine } from '../terminal/line.js';
import type { Session } from '../run-command.js';
import { UsageError } from '../cli-io.js';
import type { Workflow } from '../../node.js';

/** What asks before a workflow with paid nodes is submitted. */
export interface PaidSubmission {
  readonly workflow: Workflow;
  readonly targets?: readonly string[] | undefined;
  /** As messages name it. */
  readonly name: string;
}

/**
 * Lets a workflow with paid nodes pass only where a person says so: it asks at a terminal, and throws `UsageError` elsewhere, or for any
 * answer but yes. Without node classes nothing tells, and it passes.
 */
export const askForPaid = async (
  session: Session,
  definitions: NodeDefinitions | undefined,
  { workflow, targets, name }: PaidSubmission,
): Promise<void> => {
  const { stop } = session;
  const { stdin, stderr, asks } = session.io;
  const paid =
    definitions === undefined
      ? []
      : paidNodes(await asServiceChecks(session, workflow, definitions), definitions, targets);
  if (paid.length === 0) return;
  const has = `${name} has ${paid.length === 1 ? 'a paid node' : `${paid.length} paid nodes`}`;
  const what = safeLine(`${has}: ${paid.map(paidText).join('; ')}`, { redact: session.redact });
  if (!asks) throw new UsageError(`${what}. Nothing was sent; --allow-paid submits it`);
  const terminal = createInterface({ input: stdin, output: stderr, terminal: false });
  try {
    const answer = await Promise.race([
      terminal.question(`${what}.\nSubmit it? [y/N] `, { signal: stop }),
      once(terminal, 'close').then(() => ''),
    ]);
    if (!/^\s*y(?:es)?\s*$/iu.test(answer)) throw new UsageError(`${name} was not submitted`);
  } finally {
    terminal.close();
  }
};
