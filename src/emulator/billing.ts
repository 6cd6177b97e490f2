/** How an account's plan stands: jobs are refused with 402 without credits, and with 429 without a subscription. */
export type Billing = 'active' | 'no credits' | 'inactive';
