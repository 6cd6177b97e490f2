import type { GatewayOptions } from '../../gateway.js';
import { orThrow, type Session } from '../run-command.js';
import { readJson } from './read-json.js';
import { readApiWorkflow } from '../../node.js';
import { template, type TemplateTargets } from '../../workflow.js';
import { UsageError } from '../cli-io.js';

/** Reads templates by `name=file`; each file holds `{ "workflow": …, "inputs": { "prompt": "Positive.text" } }`. */
export const readTemplates = async (
  { io: { stdin }, stop }: Session,
  assignments: readonly string[],
): Promise<NonNullable<GatewayOptions['templates']>> => {
  const named = assignments.map(async (assignment) => {
    const [, name, file] = /^([\w-]+)=(.+)/su.exec(assignment) ?? [];
    if (name === undefined || file === undefined) throw new UsageError('--template takes name=file');
    const { value } = await readJson(file, { stdin, stop });
    const { workflow, inputs } = (value ?? {}) as { readonly workflow?: unknown; readonly inputs?: unknown };
    if (typeof inputs !== 'object' || inputs === null) {
      throw new UsageError(`the template ${file} has no "inputs": names with the inputs that they set`);
    }
    const made = template(orThrow(readApiWorkflow(workflow)), inputs as TemplateTargets);
    if (made._tag === 'Left') throw new UsageError(`the template ${file}: ${made.left.message}`);
    return [name, made.right] as const;
  });
  return Object.fromEntries(await Promise.all(named));
};
