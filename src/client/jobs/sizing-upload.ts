import * as E from '../../core/protocol/either.js';
import { headBytes } from './durations-of-client.js';
import type { JobDurations } from './durations-of-client.js';
import type { Rest } from '../../core/http/rest.js';

/** An upload that shows what plans jobs the picture, whose size tells how long nodes that load it will take. */
export const sizingUpload =
  (uploadImage: Rest['uploadImage'], durations: JobDurations): Rest['uploadImage'] =>
  (source, options) =>
  async () => {
    const answer = await uploadImage(source, options)();
    if (E.isRight(answer) && typeof source !== 'string') {
      const { name, subfolder } = answer.right;
      const head = await headOf(source.content).catch(() => undefined);
      if (head !== undefined) durations.uploaded(subfolder === '' ? name : `${subfolder}/${name}`, head);
    }
    return answer;
  };

const headOf = async (content: Blob | Uint8Array): Promise<Uint8Array> =>
  content instanceof Blob
    ? new Uint8Array(await content.slice(0, headBytes).arrayBuffer())
    : content.subarray(0, headBytes);
