import { json } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';

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
