import { z } from 'zod';
import { REQUEST_LIMITS } from '../domain/limits.ts';
import { endpoint, Instant } from './endpoint.ts';

/**
 * What a receipt says: that this many answers of this attempt were stored when it ended. A receipt is
 * `<base64url of this as JSON>.<base64url of an Ed25519 signature over the part before the dot>`.
 */
export const ReceiptContent = z.object({
  version: z.literal(1),
  id: z.string(),
  participantId: z.string(),
  submittedAt: Instant,
  answeredCount: z.int(),
  totalQuestions: z.int(),
  /** SHA-256, base64url, over the final answers: docs/receipts.md says of what exactly. */
  digest: z.string(),
});
export type ReceiptContent = z.infer<typeof ReceiptContent>;

export const getReceiptKey = endpoint({
  method: 'GET',
  path: '/api/receipts/key',
  access: 'public',
  summary: 'The public key of this installation, to verify receipts without it',
  responses: {
    200: z.object({ algorithm: z.literal('Ed25519'), publicKey: z.string(), pem: z.string() }),
  },
  errors: [],
});

export const verifyReceipt = endpoint({
  method: 'POST',
  path: '/api/receipts/verify',
  access: 'public',
  summary: 'Whether a receipt was made by this installation, and whether the attempt still says so',
  body: z.object({
    receipt: z.string('Paste a receipt').trim().min(1, 'Paste a receipt').max(2_000),
  }),
  responses: {
    200: z.object({
      /** Signed by this installation, and not a character was changed. */
      valid: z.boolean(),
      /** What it says; null where it is not valid. */
      content: ReceiptContent.nullable(),
      /** Whether the stored answers still give this digest; null where nothing is stored any more. */
      matches: z.boolean().nullable(),
    }),
  },
  errors: [],
  bodyLimit: REQUEST_LIMITS.smallBodyBytes * 2,
  cost: 2,
});
