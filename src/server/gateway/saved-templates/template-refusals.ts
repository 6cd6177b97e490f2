import { refusal } from '../v2/refusal.js';
import type { Refusal } from '../http/refusal.js';

/** The 404 of a template that the caller does not have. */
export const templateNotFound: Refusal = refusal(404, 'template_not_found', 'There is no such template.');
