import type { Caller } from '../options.js';
import type { Route } from './route.js';

/** What the steps of one request know of it, in Hono's context. */
export interface GatewayEnv {
  readonly Variables: {
    /** The address of the request. */
    url: URL;
    /** How refusals are written: by the address at first, and by the route once it is found. */
    errors: Route['errors'];
    /** Who calls; undefined before that is known, and of an open route. */
    caller: Caller | undefined;
  };
}
