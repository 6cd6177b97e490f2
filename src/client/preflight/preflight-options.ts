import type { CallOptions } from '../../core/http/rest-options.js';
import type { ObjectInfo } from '../../core/endpoints/object-info.js';
import type { PreflightFacts } from '../../workflow/preflight/facts.js';

/** Options of {@link Client.preflight}; all are optional. */
export interface PreflightOptions extends CallOptions, Pick<PreflightFacts, 'ui' | 'targets' | 'rules'> {
  /** The service's node classes where the program has them already, with the account's own models; default they are asked for. */
  readonly definitions?: ObjectInfo | undefined;
  /**
   * The sizes in bytes of the files that will be uploaded, by the name that an input gives to them; or a function that finds the size of
   * one, which is called for each file that the service does not list.
   */
  readonly files?:
    Readonly<Record<string, number>> | ((name: string) => number | undefined | Promise<number | undefined>);
}
