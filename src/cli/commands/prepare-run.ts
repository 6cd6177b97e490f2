import { readWorkflow, type Workflow } from '../../node.js';
import { assign } from '../input/assign.js';
import { type Assignment, parseAssignment } from '../input/assignment.js';
import { parseValue } from '../input/parse-value.js';
import { readJson } from '../input/read-json.js';
import { refuseLostNumbers } from '../input/refuse-lost-numbers.js';
import { orThrow } from '../or-throw.js';
import type { Session } from '../session.js';

/** What shall become a job. */
export interface PreparedRun {
  /** With `--set` done, and the path of each file in the input that its upload will fill. */
  readonly workflow: Workflow;
  readonly uploads: readonly Assignment[];
}

/** Reads and checks all that `run` is given, before anything is sent. */
export const prepareRun = async (
  { io, stop }: Session,
  file: string,
  flags: { readonly set?: readonly string[]; readonly upload?: readonly string[] },
): Promise<PreparedRun> => {
  const settings = (flags.set ?? []).map((text) => parseAssignment('--set', text));
  const uploads = (flags.upload ?? []).map((text) => parseAssignment('--upload', text));
  const { value, lost } = await readJson(file, { stdin: io.stdin, stop });
  const given = orThrow(readWorkflow(value));
  refuseLostNumbers(file, lost, [...settings, ...uploads]);
  const changed = settings.reduce((workflow, item) => assign(workflow, item, parseValue(item.value)), given);
  return {
    workflow: uploads.reduce((workflow, item) => assign(workflow, item, item.value), changed),
    uploads,
  };
};
