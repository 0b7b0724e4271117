import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import {
  exportPasswords,
  type HandedOut,
  makePasswords,
} from '@invigil/core/contract/invitations/invitations';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { currentLanguage, isRightToLeft, numberText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { slipLines } from '@invigil/core/texts/slip';
import { useMutation } from '@tanstack/react-query';
import { Printer, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { callEndpoint } from '../../../net/api.ts';
import { formatQuery } from '../../../net/file-download.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { downloadFile } from '../../data/downloads.ts';
import { useReadAgain } from '../../data/invitations.ts';
import { showFailure } from '../../data/show-failure.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { OnPaper } from '../../parts/on-paper.tsx';

const MOST = REQUEST_LIMITS.listRowsMax;
const failed = (): string => t('invite.handOut.failed', 'Failed to make one-time passwords');

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
    onError: (error) => showFailure(failed(), error),
  });
  const download = async (format: TableFormat) => {
    const body = { ids: [...ids], ...formatQuery(format) };
    const file = {
      name: t('invite.passwords', 'One-time passwords'),
      fallback: `one_time_passwords.${format}`,
    };
    await downloadFile(file, exportPasswords, { params, body });
    await readAgain();
  };
  const isTooMany = ids.length > MOST;
  const without = made === null ? 0 : ids.length - made.passwords.length;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(
        'invite.handOut.title',
        '{count, plural, one {One-time passwords for # person} other {One-time passwords for # people}}',
        { count: ids.length },
      )}
      description={`${isolated(quiz.title)}. ${t(/* one-time passwords */ 'invite.handOut.hint', 'To hand out in a room without mail.')}`}
      footer={
        <>
          <DialogClose>
            <Button>
              {made === null
                ? t('ui.cancel', 'Cancel')
                : t(/* a button: closes */ 'invite.done', 'Done')}
            </Button>
          </DialogClose>
          {!isTooMany && (
            <>
              <DownloadButton
                onDownload={download}
                onFailed={(error) => showFailure(failed(), error)}
              >
                {t(/* a button */ 'people.download', 'Download list')}
              </DownloadButton>
              <Button
                variant="primary"
                icon={<Printer />}
                busy={
                  print.isPending && t(/* slips for printing */ 'invite.handOut.busy', 'Preparing…')
                }
                onClick={() => print.mutate()}
              >
                {made === null
                  ? t(
                      /* a button: a slip of paper for each person */ 'invite.handOut.print',
                      'Print slips',
                    )
                  : t(/* a button */ 'invite.handOut.printAgain', 'Print again')}
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="grid gap-3">
        <ul className="grid list-disc gap-1.5 ps-5">
          <li>
            {t(
              'invite.handOut.new',
              'Each person gets a new one-time password. Earlier ones keep working.',
            )}
          </li>
          <li>
            {t(
              /* they: one-time passwords */ 'invite.handOut.once',
              'They are made once and not stored: print or save them now.',
            )}
          </li>
          <li>
            {t(
              'invite.handOut.recorded',
              'The other administrators get an email, and the audit log records it.',
            )}
          </li>
        </ul>
        {isTooMany && (
          <Notice tone="warn" icon={<TriangleAlert />}>
            {t('invite.handOut.most', 'Select at most {most} people at a time.', {
              most: numberText(MOST),
            })}
          </Notice>
        )}
        {without > 0 && (
          <Notice role="status" icon={<TriangleAlert />}>
            {t(
              /* none: no one-time password */ 'invite.handOut.without',
              '{count, plural, one {# person gets none: finished, revoked or erased.} other {# people get none: finished, revoked or erased.}}',
              { count: without },
            )}
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

/**
 * One slip a person, four on a page, to be cut along the lines; each in the language of its reader, which is another
 * than the page's: what is not of that language is kept apart by elements.
 */
function PasswordSlips({ title, made }: { title: string; made: HandedOut }) {
  return made.passwords.map(({ id, email, userName, code, slip }) => {
    const language = slip?.language ?? currentLanguage();
    const [signIn, ...lines] = slip?.lines ?? slipLines(made);
    return (
      <section
        key={id}
        lang={language}
        dir={isRightToLeft(language) ? 'rtl' : 'ltr'}
        className="flex min-h-[62mm] break-inside-avoid flex-col justify-center gap-1 border-b border-dashed border-black py-3"
      >
        <p>
          <bdi>{title}</bdi>
        </p>
        {userName !== undefined && (
          <p className="text-xl font-semibold">
            <bdi>{userName}</bdi>
          </p>
        )}
        <p className="text-xl font-semibold break-all">
          <bdi>{email}</bdi>
        </p>
        <p className="my-1 font-mono text-[2rem] leading-tight font-medium">
          <bdi dir="ltr">{code}</bdi>
        </p>
        <p className="text-md break-all">{signIn}</p>
        {lines.map((line, index) => (
          <p key={line} className={index === lines.length - 1 ? 'text-sm' : ''}>
            {line}
          </p>
        ))}
      </section>
    );
  });
}
