import { serviceError } from '../errors/service-error.js';
import type { ServiceErrorOf } from '../errors/errors.js';
import type { ServiceUrls } from './service-urls.js';

/** The refusal of a secret that would cross a network unencrypted; undefined if none would. */
export const clearTextRefusal = (
  { clearText: option }: Pick<ServiceUrls, 'clearText'>,
  secret: string,
): ServiceErrorOf<'InvalidConfig'> | undefined =>
  option === undefined
    ? undefined
    : serviceError('InvalidConfig', {
        option,
        message: `${option} would send ${secret} in clear text over a network.`,
        hint: `Use an encrypted address (https:), or set allowClearText.`,
      });
