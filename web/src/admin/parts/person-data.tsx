import { listPeople } from '@invigil/core/contract/invitations/people';
import {
  erasePerson,
  exportPerson,
  listParticipants,
} from '@invigil/core/contract/review/participants';
import { getStats } from '@invigil/core/contract/review/stats';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { callEndpoint } from '../../net/api.ts';
import { endpointKey } from '../../net/endpoint-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { downloadFile } from '../data/downloads.ts';
import { useMay } from '../data/own-rights.ts';
import { showFailure } from '../data/show-failure.ts';
import { ReasonDialog } from './reason-dialog.tsx';

interface PersonDataProps {
  userId: string;
  /** `null` once the person is erased. */
  email: string | null;
}

/** Everything stored about a person, to download and to erase. */
export function PersonData({
  isRunning,
  ...person
}: PersonDataProps & {
  /** An attempt is in progress. */
  isRunning: boolean;
}) {
  const [erasing, setErasing] = useState(false);
  if (!useMay()('installation.manage')) return null;
  return (
    <Card title={t('parts.personData.title', 'Candidate data')}>
      <div className="grid gap-2.5 px-5 py-4">
        <DownloadData userId={person.userId} />
        {isRunning && (
          <p className="text-sm text-ink-3">
            {t(
              'parts.personData.running',
              'Data can be erased when no attempt of this person is in progress.',
            )}
          </p>
        )}
        <Button
          variant="danger-ghost"
          icon={<Trash2 />}
          aria-disabled={isRunning}
          onClick={() => setErasing(true)}
        >
          {t(/* a button */ 'parts.personData.erase', 'Erase data')}
        </Button>
      </div>
      {erasing && <EraseDialog {...person} onClose={() => setErasing(false)} />}
    </Card>
  );
}

function DownloadData({ userId }: { userId: string }) {
  const download = useMutation({
    mutationFn: () =>
      downloadFile(
        {
          name: t(
            /* names a file that is downloaded */ 'parts.personData.file',
            'Data of a person',
          ),
          fallback: 'person.json',
        },
        exportPerson,
        {
          params: { id: userId },
        },
      ),
    onError: (error) =>
      showFailure(t('parts.personData.downloadFailed', 'Failed to download the data'), error),
  });
  return (
    <Button
      icon={<Download />}
      busy={download.isPending && t('portal.downloading', 'Downloading…')}
      onClick={() => download.mutate()}
    >
      {t(/* a button */ 'parts.personData.download', 'Download data')}
    </Button>
  );
}

function EraseDialog({ userId, email, onClose }: PersonDataProps & { onClose(): void }) {
  const client = useQueryClient();
  const params = { id: userId };
  const erase = useMutation({
    mutationFn: (reason: string) => callEndpoint(erasePerson, { params, body: { reason } }),
    onSuccess: () =>
      Promise.all(
        [endpointKey(listParticipants), endpointKey(getStats), endpointKey(listPeople)].map(
          (queryKey) => client.invalidateQueries({ queryKey }),
        ),
      ),
  });
  const word =
    email ?? t(/* a word to be typed, in lower case */ 'parts.personData.eraseWord', 'erase');
  const typeWord = t('parts.personData.typeWord', 'Type {word} to confirm', { word });
  return (
    <ReasonDialog
      danger
      title={t('parts.personData.eraseTitle', "Erase this person's data")}
      consequence={
        <>
          <p>
            {t(
              'parts.personData.consequence',
              'The email address, former addresses, name, number, groups, language, fields, notes, feedback text, device checks and the network address of the consent are erased, in every assessment. Scores and answers stay without a name. Invitations of this person stop working.',
            )}
          </p>
          <p className="font-medium text-bad-ink">
            {t('parts.personData.noUndo', 'No one can undo this.')}
          </p>
        </>
      }
      confirmLabel={t(/* a button */ 'parts.personData.erase', 'Erase data')}
      busyLabel={t('parts.personData.erasing', 'Erasing…')}
      doneTitle={t('parts.personData.erased', "The person's data is erased")}
      failTitle={t('parts.personData.eraseFailed', 'Failed to erase the data')}
      extra={{
        label: typeWord,
        required: true,
        problem: (typed) =>
          typed.trim().toLowerCase() === word.toLowerCase() ? undefined : typeWord,
      }}
      onConfirm={(reason) => erase.mutateAsync(reason)}
      onClose={onClose}
    />
  );
}
