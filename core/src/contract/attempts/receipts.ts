import { z } from 'zod';
import { REQUEST_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint, Instant } from '../definition/endpoint.ts';

/**
 * A receipt states that this many answers of this attempt were stored when it ended. It is `<base64url
 * of this as JSON>.<base64url of an Ed25519 signature over the part before the dot>`.
 */
export const ReceiptContent = z.object({
  version: z.literal(1),
  id: z.string(),
  participantId: z.string(),
  submittedAt: Instant,
  answeredCount: z.int(),
  totalQuestions: z.int(),
  /** SHA-256, base64url, of the final answers in the encoding of docs/receipts.md. */
  digest: z.string(),
});
export type ReceiptContent = z.infer<typeof ReceiptContent>;

export const getReceiptKey = endpoint('GET /api/receipts/key', 'public', {
  summary: 'The public key of this installation, to verify receipts elsewhere',
  responses: {
    200: z.object({ algorithm: z.literal('Ed25519'), publicKey: z.string(), pem: z.string() }),
  },
});

const PASTE = { error: () => t(/* of an attempt */ 'field.receipt', 'Paste a receipt') };

export const verifyReceipt = endpoint('POST /api/receipts/verify', 'public', {
  audit: { none: 'reads only' },
  summary:
    'Whether a receipt was made by this installation, and whether the stored answers still match',
  body: z.object({
    receipt: z.string(PASTE).trim().min(1, PASTE).max(2_000),
  }),
  responses: {
    200: z.object({
      /** Signed by this installation and unchanged. */
      valid: z.boolean(),
      /** The content of the receipt; null where the receipt is not valid. */
      content: ReceiptContent.nullable(),
      /** Whether the stored answers still have this digest; null where they are deleted. */
      matches: z.boolean().nullable(),
    }),
  },
  bodyLimit: REQUEST_LIMITS.smallBodyBytes * 2,
  cost: 2,
});
