import type { Clock } from '../../../core/platform/platform.js';
import type { GatewayOptions } from '../options.js';
import type { Route } from './route.js';
import type { WatchTokens } from './watch-tokens.js';

/** Options of an HTTP handler: callers and their limits, the mount, and what every answer carries. */
export interface HandlerOptions extends Pick<
  GatewayOptions,
  | 'authorize'
  | 'limits'
  | 'totals'
  | 'reauthorizeMs'
  | 'stallMs'
  | 'mount'
  | 'origin'
  | 'allowOrigins'
  | 'allowCredentials'
  | 'loopbackOnly'
  | 'accessLog'
  | 'onError'
> {
  readonly routes: readonly Route[];
  readonly tokens: WatchTokens;
  readonly clock: Clock;
  /** True once the gateway goes down: only open routes answer then. */
  readonly isClosed?: () => boolean;
}
