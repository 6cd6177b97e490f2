/** The members of `extra_data` that hold a key. */
export const credentialFields: ReadonlySet<string> = new Set([
  'api_key_partner_org',
  'api_key_comfy_org',
  'auth_token_comfy_org',
]);
