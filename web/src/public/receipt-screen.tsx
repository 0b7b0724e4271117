import {
  getReceiptKey,
  type ReceiptContent,
  verifyReceipt,
} from '@invigil/core/contract/attempts/receipts';
import { t } from '@invigil/core/texts/i18n';
import { Check, CircleHelp, Download, TriangleAlert } from 'lucide-react';
import { type DragEvent, type FormEvent, useRef, useState } from 'react';
import { receiptFacts, receiptIn } from '../lib/receipt.ts';
import { callEndpoint, inTime, sentenceOf } from '../net/api.ts';
import { saveFile } from '../net/file-download.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/fields/text-area.tsx';
import { Notice } from '../ui/notice.tsx';
import { PublicPage } from '../ui/public-page.tsx';
import { Trans } from '../ui/trans.tsx';

/** A receipt is under 1 kB; larger files are refused unread. */
const FILE_MAX_BYTES = 100_000;

/** /receipt: anyone can check a receipt here, without a session. */
export function ReceiptScreen() {
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string>();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [busy, setBusy] = useState(false);

  const check = async (text: string) => {
    setVerdict(null);
    const receipt = receiptIn(text);
    if (receipt === '') {
      setProblem(t('receiptCheck.missing', 'Paste a receipt'));
      return field.current?.focus();
    }
    setProblem(undefined);
    setBusy(true);
    try {
      setVerdict(await verify(receipt));
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > FILE_MAX_BYTES)
      return setProblem(t('receiptCheck.tooLarge', 'This file is too large for a receipt'));
    const text = receiptIn(await file.text());
    if (field.current !== null) field.current.value = text;
    await check(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check(field.current?.value ?? '');
  };

  return (
    <PublicPage
      title={t(/* heading of a page */ 'receiptCheck.title', 'Check a receipt')}
      lead={t(
        'receiptCheck.lead',
        'After an assessment, every candidate gets a signed receipt on the last page, and by email where this is enabled. Anyone can check here that a receipt is genuine.',
      )}
      // Dropping is a shortcut; the input below is the control.
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        void take(event.dataTransfer.files[0]);
      }}
    >
      <form noValidate onSubmit={submit} className="grid gap-4">
        <TextArea
          ref={field}
          label={t(/* label of the field for its text */ 'receiptCheck.receipt', 'Receipt')}
          name="receipt"
          size="candidate"
          rows={5}
          required
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          hint={t(
            'receiptCheck.hint',
            'Paste the receipt or the whole email, or drop the saved file on this page.',
          )}
          error={problem}
          inputClassName="code break-all"
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            variant="primary"
            size="candidate"
            type="submit"
            busy={
              busy &&
              t(
                /* the button while the receipt is being checked */ 'receiptCheck.checking',
                'Checking…',
              )
            }
          >
            {t(/* a button */ 'receiptCheck.check', 'Check receipt')}
          </Button>
          <FilePicker onFile={(file) => void take(file)} />
        </div>
      </form>
      <div role="status">{verdict !== null && <VerdictNotice verdict={verdict} />}</div>
      <OfflineCheck />
    </PublicPage>
  );
}

function FilePicker({ onFile }: { onFile(file: File | undefined): void }) {
  return (
    <label className="relative inline-flex min-h-11 items-center rounded-md px-2 font-medium text-accent-ink underline underline-offset-4 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-focus">
      {t(/* a button */ 'receiptCheck.selectFile', 'Select a file')}
      <input
        type="file"
        accept=".txt,.eml,text/plain,message/rfc822"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Reset, so that the same file can be selected again.
          event.target.value = '';
          onFile(file);
        }}
        className="absolute inset-0 w-full cursor-pointer text-md opacity-0"
      />
    </label>
  );
}

const icon = { 'aria-hidden': true, strokeWidth: 1.75 } as const;

export function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const { content, matches } = verdict;
  if (!verdict.valid || content === null) {
    return (
      <Notice
        tone="bad"
        icon={<TriangleAlert {...icon} />}
        title={t('receiptCheck.invalid', 'This receipt was not issued here.')}
      >
        {t(
          'receiptCheck.invalidAdvice',
          'It was not signed by this installation, or it was changed. Check that you copied all of it.',
        )}
      </Notice>
    );
  }
  return (
    <div className="grid gap-4">
      {matches === false ? (
        <Notice
          tone="bad"
          icon={<TriangleAlert {...icon} />}
          title={t(
            'receiptCheck.differs',
            'The receipt is genuine, but the stored answers differ.',
          )}
        >
          {t(
            'receiptCheck.differsAdvice',
            'What is stored today is not what was confirmed. Show this receipt to the person who invited you.',
          )}
        </Notice>
      ) : matches === null ? (
        <Notice
          tone="ok"
          icon={<CircleHelp {...icon} />}
          title={t('receiptCheck.genuine', 'This receipt is genuine.')}
        >
          {t(
            'receiptCheck.answersGone',
            'The answers themselves are no longer stored, so they cannot be compared.',
          )}
        </Notice>
      ) : (
        <Notice
          tone="ok"
          icon={<Check {...icon} />}
          title={t('receiptCheck.genuine', 'This receipt is genuine.')}
        >
          {t(
            /* it: the receipt */ 'receiptCheck.matches',
            'The stored answers are exactly the ones it confirms.',
          )}
        </Notice>
      )}
      <dl className="rounded-lg border border-line bg-surface px-5 py-1.5">
        {receiptFacts(content).map(([label, value, kind], index) => (
          <div
            key={label}
            className={`flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2 ${index > 0 ? 'border-t border-line' : ''}`}
          >
            <dt className="text-ink-2">{label}</dt>
            <dd className={kind === 'code' ? 'code break-all' : 'font-medium'}>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface Verdict {
  valid: boolean;
  content: ReceiptContent | null;
  /** Whether the stored answers still match the receipt; `null`: nothing is stored any more. */
  matches: boolean | null;
}

function verify(receipt: string): Promise<Verdict> {
  return callEndpoint(verifyReceipt, { body: { receipt }, signal: inTime() });
}

/** The public key for verifying receipts offline, as PEM. */
async function publishedKey(): Promise<string> {
  return (await callEndpoint(getReceiptKey, { signal: inTime() })).pem;
}

/** Works with OpenSSL 3 and the files saved from this page and the thank-you screen. */
export const OFFLINE_COMMANDS = [
  "cut -d. -f1 receipt.txt | tr -d '\\r\\n' > content",
  `printf '%s==' "$(cut -d. -f2 receipt.txt | tr -d '\\r\\n' | tr '_-' '/+')" | base64 -d > signature`,
  'openssl pkeyutl -verify -pubin -inkey receipt-key.pem -rawin -in content -sigfile signature',
].join('\n');

function OfflineCheck() {
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
  const title = t(
    /* heading: check the signature without this site */ 'receiptCheck.offline.title',
    'Verify it independently',
  );
  return (
    <section aria-label={title} className="grid gap-3 border-t border-line pt-6">
      <h2>{title}</h2>
      <p className="text-ink-2">
        <Trans
          id="receiptCheck.offline.format"
          comment="{format}: content.signature, two parts with a dot between them"
          message="A receipt is {format}, both in base64url. The content is JSON; the signature is Ed25519 over the first part as it stands. Keep the public key with your receipt: with it, anyone can verify the signature at any time, even if this site no longer exists."
          values={{ format: <Code>content.signature</Code> }}
        />
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<Download />} onClick={() => void save()}>
          {t(/* a button; of the signature */ 'receiptCheck.offline.saveKey', 'Save public key')}
        </Button>
        {problem !== null && (
          <p role="alert" className="text-bad-ink">
            {problem}
          </p>
        )}
      </div>
      <p className="text-ink-2">
        <Trans
          id="receiptCheck.offline.commands"
          comment="Commands follow. {file}: receipt.txt"
          message="With OpenSSL 3, the receipt saved as {file}:"
          values={{ file: <Code>receipt.txt</Code> }}
        />
      </p>
      <pre
        translate="no"
        className="code rounded-lg bg-sunken p-4 text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {OFFLINE_COMMANDS}
      </pre>
      <p className="text-ink-2">
        <Trans
          id="receiptCheck.offline.prints"
          comment="It: the last command. {words}: Signature Verified Successfully"
          message="It prints {words}."
          values={{ words: <Code>Signature Verified Successfully</Code> }}
        />
      </p>
    </section>
  );
}

const Code = ({ children }: { children: string }) => (
  <span translate="no" className="code">
    {children}
  </span>
);
