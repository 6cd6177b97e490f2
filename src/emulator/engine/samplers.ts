/** Names of samplers, as combo options. */
export const samplerNames = [
  'euler',
  'euler_ancestral',
  'heun',
  'dpmpp_2m',
  'dpmpp_2m_sde',
  'ddim',
  'uni_pc',
] as const;

/** Names of schedulers, as combo options. */
export const schedulerNames = ['normal', 'karras', 'exponential', 'simple', 'sgm_uniform', 'beta'] as const;

/** Names of checkpoints, as combo options. */
export const checkpointNames = ['scenery-v1.safetensors', 'scenery-v2.safetensors'] as const;
