import type { GatewayTemplates } from '../templates.js';
import { json } from '../http/respond.js';

/** Lists the templates with the schemas of their inputs. */
export const listTemplates = (templates: GatewayTemplates) => (): Promise<Response> =>
  Promise.resolve(
    json({ templates: Object.entries(templates).map(([name, { jsonSchema }]) => ({ name, jsonSchema })) }),
  );
