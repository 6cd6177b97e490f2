import type { Handler } from '../handler.js';
import { checkpointNames } from '../../engine/sample.js';
import { json, refusal } from '../../http/answer.js';
import { nodeReplacements } from '../../validation/replace-classes.js';
import { ownModels } from '../own-models.js';
import { serverFlags } from '../../sockets/hub.js';

/** `GET /api/features`: the feature flags of the handshake, and over HTTP alone what the account may run. */
export const features: Handler = ({ service: { settings } }) => {
  const { partnerNodes } = settings.switches;
  return json({
    ...serverFlags(settings),
    ...(partnerNodes !== 'unstated' && { can_run_partner_nodes: partnerNodes !== 'refused' }),
  });
};

/** `GET /api/node_replacements`: the classes that are replaced, by their old name. */
export const replacements: Handler = ({ service: { settings } }) =>
  settings.switches.nodeReplacements
    ? json(nodeReplacements)
    : refusal(404, 'NOT_FOUND', 'There is no such route here.');

/** `GET /api/experiment/models`: the folders of models. */
export const modelFolders: Handler = () => json([{ name: 'checkpoints', folders: [] }]);

/** `GET /api/experiment/models/{folder}`: the account's models; 404 without a body for another folder. */
export const models: Handler = ({ service: { settings }, params: [folder] }) =>
  folder === 'checkpoints'
    ? json([...checkpointNames, ...ownModels(settings.switches)].map((name) => ({ name, pathIndex: 0 })))
    : { status: 404 };

/** `GET /api/object_info`: every node class, or the one that the path names (none of that name: an empty map). */
export const objectInfo: Handler = ({ service, account, params, query }) => {
  const listsOwn = query.get('include_user_models') === 'true';
  const models = listsOwn ? ownModels(service.settings.switches) : [];
  const files = { inputs: account.files.inputs(), models };
  const entries = [...service.nodeClasses].map(
    ([name, nodeClass]) => [name, nodeClass.definition(files)] as const,
  );
  const [wanted] = params;
  return json(
    Object.fromEntries(wanted === undefined ? entries : entries.filter(([name]) => name === wanted)),
  );
};

/** `GET /api/system_stats`: says that this is the cloud dialect and an emulator. */
export const systemStats: Handler = () =>
  json({
    system: {
      os: process.platform,
      python_version: '',
      embedded_python: false,
      comfyui_version: '',
      pytorch_version: '',
      argv: [],
      ram_total: 0,
      ram_free: 0,
      cloud_version: 'promptwire emulator',
      deploy_environment: 'emulator',
    },
    devices: [],
  });

/** `GET /api/user`: the owner of the key. */
export const user: Handler = ({ account }) => json({ id: account.userId, status: 'active' });
