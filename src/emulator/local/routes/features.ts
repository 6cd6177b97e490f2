import { serverFlags } from '../../sockets/server-flags.js';
import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /features`: what the handshake answers, over HTTP. */
export const features: LocalHandler = ({ service }) => localJson(serverFlags(service.settings));
