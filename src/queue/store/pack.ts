import { gunzipSync, gzipSync } from 'node:zlib';
import { credentialFields } from '../../redaction/credential-fields.js';
import { parseExactJson, writeExactJson } from '../../protocol/json/exact-json.js';
import { serviceError } from '../../errors/service-error.js';
import type { StoredWorkflow } from './job-store.js';

/** How many bytes a packed workflow may have. */
const mostBytes = 2 ** 20;

/**
 * Packs a workflow for the store.
 *
 * Throws `InvalidConfig` for extra data with a credential, and `TooLarge` for a workflow of more than 1 MiB, compressed.
 */
export const pack = ({ workflow, extraData }: StoredWorkflow): Buffer => {
  const found = Object.keys(extraData ?? {}).find((name) => credentialFields.has(name));
  if (found !== undefined) {
    throw serviceError('InvalidConfig', {
      option: 'extraData',
      message: `extraData holds a credential (${found}), which a queue never stores.`,
      hint: 'Give the key to the workers: each one adds its own.',
    });
  }
  const packed = gzipSync(writeExactJson({ workflow, extraData }));
  if (packed.length > mostBytes) {
    throw serviceError('TooLarge', {
      message: `The workflow has ${packed.length} bytes, compressed; a queue stores at most ${mostBytes}.`,
      hint: 'Upload large data as files, and name them in the workflow.',
    });
  }
  return packed;
};

/** Unpacks what {@link pack} packed. */
export const unpack = (packed: Buffer): StoredWorkflow => {
  const { workflow, extraData } = parseExactJson(gunzipSync(packed).toString('utf8')) as StoredWorkflow;
  return { workflow, extraData };
};
