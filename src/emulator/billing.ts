/** Every word of {@link Billing}. */
export const billings = ['active', 'no credits', 'inactive'] as const;

/** How an account's plan stands: jobs are refused with 402 without credits, and with 429 without a subscription. */
export type Billing = (typeof billings)[number];
