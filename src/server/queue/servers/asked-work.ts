import { createHash } from 'node:crypto';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { Work } from '../../../client/pool/work.js';
import { workOf } from '../../../client/pool/work.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** What a job asks of a server, as its record holds it: texts that are long stand there as hashes, and classes are read of the workflow. */
export interface AskedWork extends Pick<Work, 'shape' | 'models' | 'needs' | 'guessMs' | 'guessLoadMs'> {
  /** The tags that its server must have. */
  readonly tags: readonly string[];
}

/** Reads what a job asks of a server, once, before it is added. */
export const askedWorkOf = (workflow: Workflow, tags: readonly string[] = []): AskedWork => {
  const { shape, models, needs, guessMs, guessLoadMs } = workOf(workflow);
  return { shape: hashOf(shape), models, needs: hashOf(needs), guessMs, guessLoadMs, tags };
};

/** Restores it from its JSON form; of a record without it nothing is known, so that any server may have the job. */
export const readAskedWork = (text: string): AskedWork => {
  const value = parsed(text);
  if (!isJsonObject(value))
    return { shape: '', models: [], needs: '', guessMs: 1_000, guessLoadMs: 0, tags: [] };
  const { shape, models, needs, guessMs, guessLoadMs, tags } = value as unknown as AskedWork;
  return { shape, models, needs, guessMs, guessLoadMs, tags };
};

/** The same for the choice of a server. */
export const workAsked = (asked: AskedWork): Work => ({ ...asked, classes: [] });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 20);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
