import { callError } from '../core/errors/call-error.js';
import { defer, from, mergeMap } from 'rxjs';
import type { Generate } from './generate-context.js';

/**
 * Makes `generate`. What it needs is loaded with its first subscriber, so that a page without one loads none of it; where that
 * fails, the stream errors with `Network`, and the next one tries again.
 */
export const lazyGenerate = <Options extends object>(
  load: () => Promise<Generate<Options>>,
): Generate<Options> => {
  let loading: Promise<Generate<Options>> | undefined;
  const loaded = async (): Promise<Generate<Options>> => {
    try {
      return await load();
    } catch {
      loading = undefined;
      const message = 'The code of generate could not be loaded.';
      throw callError('Network', { code: 'IMPORT', sent: false, message });
    }
  };
  return (source, options) =>
    defer(() => from((loading ??= loaded()))).pipe(mergeMap((generate) => generate(source, options)));
};
