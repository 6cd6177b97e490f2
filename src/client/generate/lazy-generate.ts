import { defer, from, mergeMap } from 'rxjs';
import type { Generate } from './generate-types.js';
import type { GenerateContext } from './generate.js';
import { serviceError } from '../../core/errors/service-error.js';

/**
 * Makes `client.generate`. What it needs is loaded with its first subscriber, so that a page without one loads none of it; where that
 * fails, the stream errors with `Network`, and the next one tries again.
 */
export const lazyGenerate = (
  context: GenerateContext,
  importGenerator = () => import('./generate.js'),
): Generate => {
  let loading: Promise<Generate> | undefined;
  const load = async (): Promise<Generate> => {
    try {
      return (await importGenerator()).generator(context);
    } catch {
      loading = undefined;
      const message = 'The code of generate could not be loaded.';
      throw serviceError('Network', { code: 'IMPORT', sent: false, message });
    }
  };
  return (source, options) =>
    defer(() => from((loading ??= load()))).pipe(mergeMap((generate) => generate(source, options)));
};
