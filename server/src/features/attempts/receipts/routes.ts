import type { AttemptContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { receiptKeys } from '../../../security/receipts.ts';
import { verifyReceipt } from './make-receipt.ts';

/** The public key is the last 32 bytes of its DER form (RFC 8410, section 4). */
const RAW_KEY_BYTES = 32;

export function receiptHandlers(ctx: AttemptContext) {
  return {
    async getReceiptKey() {
      const { publicKey } = receiptKeys(ctx.keys.receipts);
      const der = publicKey.export({ format: 'der', type: 'spki' });
      return {
        status: 200,
        body: {
          algorithm: 'Ed25519' as const,
          publicKey: der.subarray(-RAW_KEY_BYTES).toString('base64url'),
          pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
        },
      };
    },
    async verifyReceipt({ body }) {
      return { status: 200, body: await verifyReceipt(ctx, body.receipt) };
    },
  } satisfies Handlers;
}
