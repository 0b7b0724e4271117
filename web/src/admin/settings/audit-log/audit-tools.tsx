import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { InputWithIcon } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { DownloadButton } from '../../downloads/download-button.tsx';
import { useTableFormat } from '../../downloads/table-format.ts';
import { downloadAudit } from './audit-api.ts';

/** Search and download of the audit log. */
export function AuditTools({
  search,
  onSearch,
}: {
  search: string;
  onSearch(search: string): void;
}) {
  const [typed, setTyped] = useState('');
  const [loading, setLoading] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  const [format, setFormat] = useTableFormat();
  const download = async (as: TableFormat) => {
    setFormat(as);
    setLoading(true);
    try {
      await downloadAudit(search, as);
    } catch (error) {
      toast({
        title: 'Failed to download the audit log',
        description: sentenceOf(error),
        variant: 'destructive',
      });
    } finally {
      setLoading(false);
    }
  };
  return (
    <div className="flex flex-wrap gap-3 border-b border-line px-5 py-3">
      <search className="min-w-0 flex-1 basis-72">
        <form onSubmit={submit} className="flex gap-2">
          <InputWithIcon
            icon={<Search />}
            type="search"
            aria-label="Search the audit log"
            className="min-w-0 flex-1"
            placeholder="Action, email or id"
            maxLength={200}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              // Cleared by typing or by the button in the box.
              if (event.target.value === '') onSearch('');
            }}
          />
          <Button type="submit">Search</Button>
        </form>
      </search>
      <DownloadButton format={format} busy={loading} onDownload={(as) => void download(as)}>
        {format === 'csv' ? 'Download CSV' : 'Download Excel'}
      </DownloadButton>
    </div>
  );
}
