import type { Item } from './gallery.js';
import type { Remote, RemoteOutput } from '../../../remote.js';

/** How many jobs keep the list of their files. */
const most = 400;

/** Where the files of jobs are; each job is asked for its own once while it is among the latest that were looked at. */
export interface Outputs {
  readonly of: (item: Pick<Item, 'jobId' | 'filename' | 'nodeId'>) => Promise<RemoteOutput | undefined>;
  /** An address that an `<img>` takes. */
  readonly source: (item: Pick<Item, 'jobId' | 'filename' | 'nodeId'>) => Promise<string | undefined>;
}

/** Asks the gateway for the files of jobs; with a token an address needs a ticket, which opens for some minutes. */
export const openOutputs = (remote: Pick<Remote, 'outputs'>, isOpen: boolean): Outputs => {
  const lists = new Map<string, Promise<readonly RemoteOutput[]>>();
  const listOf = (jobId: string): Promise<readonly RemoteOutput[]> => {
    const list = lists.get(jobId) ?? remote.outputs(jobId);
    lists.delete(jobId);
    lists.set(jobId, list);
    list.catch(() => lists.delete(jobId));
    for (const old of [...lists.keys()].slice(0, Math.max(0, lists.size - most))) lists.delete(old);
    return list;
  };
  const of: Outputs['of'] = async ({ jobId, filename, nodeId }) => {
    const isKept = lists.has(jobId);
    const findIt = async (): Promise<RemoteOutput | undefined> =>
      (await listOf(jobId)).find((output) => output.filename === filename && output.nodeId === nodeId);
    const found = await findIt();
    if (found !== undefined || !isKept) return found;
    // The list is of a moment before the job had made it.
    lists.delete(jobId);
    return findIt();
  };
  return {
    of,
    source: async (item) => {
      const output = await of(item);
      return isOpen ? output?.url : await output?.link();
    },
  };
};
