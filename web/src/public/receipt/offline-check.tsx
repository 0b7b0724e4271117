import { Download } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../../net/api.ts';
import { saveFile } from '../../net/file-download.ts';
import { Button } from '../../ui/button.tsx';
import { publishedKey } from './receipt-screen.tsx';

/** Works with OpenSSL 3 and the files saved from this page and the thank-you screen. */
export const OFFLINE_COMMANDS = `cut -d. -f1 receipt.txt | tr -d '\\r\\n' > content
printf '%s==' "$(cut -d. -f2 receipt.txt | tr -d '\\r\\n' | tr '_-' '/+')" | base64 -d > signature
openssl pkeyutl -verify -pubin -inkey receipt-key.pem -rawin -in content -sigfile signature`;

/** Verification without this page: the key, and the commands. */
export function OfflineCheck() {
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    setProblem(null);
    try {
      const pem = await publishedKey();
      saveFile(new Blob([pem], { type: 'application/x-pem-file' }), 'receipt-key.pem');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <section aria-label="Verify it independently" className="grid gap-3 border-t border-line pt-6">
      <h2>Verify it independently</h2>
      <p className="text-ink-2">
        A receipt is <span className="code">content.signature</span>, both in base64url. The content
        is JSON; the signature is Ed25519 over the first part as it stands. Keep the public key with
        your receipt: with it, anyone can verify the signature at any time, even if this site no
        longer exists.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<Download />} onClick={() => void save()}>
          Save public key
        </Button>
        {problem !== null && (
          <p role="alert" className="text-bad-ink">
            {problem}
          </p>
        )}
      </div>
      <p className="text-ink-2">
        With OpenSSL 3, the receipt saved as <span className="code">receipt.txt</span>:
      </p>
      <pre className="code rounded-lg bg-sunken p-4 text-xs leading-5 break-words whitespace-pre-wrap">
        {OFFLINE_COMMANDS}
      </pre>
      <p className="text-ink-2">
        It prints <span className="code">Signature Verified Successfully</span>.
      </p>
    </section>
  );
}
