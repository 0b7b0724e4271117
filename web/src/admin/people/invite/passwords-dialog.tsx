import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import {
  exportPasswords,
  type HandedOut,
  makePasswords,
} from '@invigil/core/contract/invitations/invitations';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { numberText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { useMutation } from '@tanstack/react-query';
import { Printer, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { callEndpoint } from '../../../net/api.ts';
import { formatQuery } from '../../../net/file-download.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { downloadFile } from '../../data/downloads.ts';
import { people, useReadAgain } from '../../data/invitations.ts';
import { showFailure } from '../../data/show-failure.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { OnPaper } from '../../parts/on-paper.tsx';

const MOST = REQUEST_LIMITS.listRowsMax;
const FAILED = 'Failed to make one-time passwords';

/** New one-time passwords for some invitations, on slips or in a file, for a room without mail. */
export function PasswordsDialog({
  quiz,
  ids,
  onClose,
}: {
  quiz: Quiz;
  ids: readonly string[];
  onClose(): void;
}) {
  const params = { id: quiz.id };
  const { onSuccess: readAgain } = useReadAgain(quiz.id);
  // Kept while the dialog is open: printing again needs no further passwords.
  const [made, setMade] = useState<HandedOut | null>(null);
  const [isPrinting, setIsPrinting] = useState(false);
  const print = useMutation({
    mutationFn: async () =>
      made ?? (await callEndpoint(makePasswords, { params, body: { ids: [...ids] } })),
    onSuccess: async (slips) => {
      setMade(slips);
      setIsPrinting(slips.passwords.length > 0);
      await readAgain();
    },
    onError: (error) => showFailure(FAILED, error),
  });
  const download = async (format: TableFormat) => {
    const body = { ids: [...ids], ...formatQuery(format) };
    const file = { name: 'One-time passwords', fallback: `one_time_passwords.${format}` };
    await downloadFile(file, exportPasswords, { params, body });
    await readAgain();
  };
  const isTooMany = ids.length > MOST;
  const without = made === null ? 0 : ids.length - made.passwords.length;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`One-time passwords for ${people(ids.length)}`}
      description={`${isolated(quiz.title)}. To hand out in a room without mail.`}
      footer={
        <>
          <DialogClose>
            <Button>{made === null ? 'Cancel' : 'Done'}</Button>
          </DialogClose>
          {!isTooMany && (
            <>
              <DownloadButton
                onDownload={download}
                onFailed={(error) => showFailure(FAILED, error)}
              >
                Download list
              </DownloadButton>
              <Button
                variant="primary"
                icon={<Printer />}
                busy={print.isPending && 'Preparing…'}
                onClick={() => print.mutate()}
              >
                {made === null ? 'Print slips' : 'Print again'}
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="grid gap-3">
        <ul className="grid list-disc gap-1.5 ps-5">
          <li>Each person gets a new one-time password. Earlier ones keep working.</li>
          <li>They are made once and not stored: print or save them now.</li>
          <li>The other administrators get an email, and the audit log records it.</li>
        </ul>
        {isTooMany && (
          <Notice tone="warn" icon={<TriangleAlert />}>
            {`Select at most ${numberText(MOST)} people at a time.`}
          </Notice>
        )}
        {without > 0 && (
          <Notice role="status" icon={<TriangleAlert />}>
            {`${people(without)} ${without === 1 ? 'gets' : 'get'} none: finished, revoked or erased.`}
          </Notice>
        )}
      </div>
      {isPrinting && made !== null && (
        <OnPaper onPrinted={() => setIsPrinting(false)}>
          <PasswordSlips title={quiz.title} made={made} />
        </OnPaper>
      )}
    </Dialog>
  );
}

/** One slip a person, four on a page, to be cut along the lines. */
function PasswordSlips({ title, made }: { title: string; made: HandedOut }) {
  const { signInUrl, opensAt, completeBy, validUntil, passwords } = made;
  return passwords.map(({ id, email, userName, code }) => (
    <section
      key={id}
      className="flex min-h-[62mm] break-inside-avoid flex-col justify-center gap-1 border-b border-dashed border-black py-3"
    >
      <p>{title}</p>
      {userName !== undefined && <p className="text-xl font-semibold">{isolated(userName)}</p>}
      <p className="text-xl font-semibold break-all">{email}</p>
      <p className="my-1 font-mono text-[2rem] leading-tight font-medium">{code}</p>
      <p className="text-md break-all">{`Sign in at ${signInUrl}`}</p>
      {opensAt !== null && <p>{`Opens at ${opensAt}`}</p>}
      <p>{`Complete it by ${completeBy}`}</p>
      {validUntil !== null && <p>{`The one-time password is valid until ${validUntil}`}</p>}
      <p className="text-sm">
        Sign in with this email address and the one-time password, in lower case and without hyphens
        if you like.
      </p>
    </section>
  ));
}
