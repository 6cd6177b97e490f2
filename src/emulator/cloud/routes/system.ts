import type { Handler } from '../handler.js';
import { json } from '../../http/answer.js';
import { serverFlags } from '../../sockets/hub.js';

/** `GET /api/features`: the feature flags of the handshake, over HTTP. */
export const features: Handler = ({ service }) => json(serverFlags(service.settings));

/** `GET /api/object_info`: every node class, or the one that the path names (none of that name: an empty map). */
export const objectInfo: Handler = ({ service, account, params }) => {
  const files = { inputs: account.files.inputs() };
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
