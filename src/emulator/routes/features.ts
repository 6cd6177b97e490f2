import { json } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { serverFlags } from '../sockets/server-flags.js';

/** `GET /api/features`: what the handshake answers, over HTTP. */
export const features: Handler = ({ service }) => json(serverFlags(service.settings));
