import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /system_stats`: tells a local server by its devices' `torch_vram_total`. */
export const systemStats: LocalHandler = () =>
  localJson({
    system: {
      os: 'posix',
      ram_total: 0,
      ram_free: 0,
      comfyui_version: '0.0.0 (promptwire emulator)',
      python_version: '3',
      pytorch_version: '',
      embedded_python: false,
      argv: [],
    },
    devices: [
      {
        name: 'cpu',
        type: 'cpu',
        index: null,
        vram_total: 0,
        vram_free: 0,
        torch_vram_total: 0,
        torch_vram_free: 0,
      },
    ],
  });
