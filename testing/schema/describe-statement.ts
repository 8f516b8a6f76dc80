import type pg from 'pg';

/** PostgreSQL's description of a statement that was not run. */
export interface Description {
  readonly parameters: readonly number[];
  readonly columns: readonly { readonly name: string; readonly type: number; readonly table: number; readonly column: number }[];
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
}

/** Parses and describes a statement. Throws PostgreSQL's error if it is invalid. */
export function describeStatement(client: pg.Client, text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = [];
    let columns: Description['columns'] = [];
    const takeParameters = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }) => {
      parameters = dataTypeIDs;
    };
    client.connection.once('parameterDescription', takeParameters);
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription({ fields }: { readonly fields: readonly Field[] }) {
        columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({ name, type: dataTypeID, table: tableID, column: columnID }));
      },
      handleError(error: Error) {
        client.connection.off('parameterDescription', takeParameters);
        reject(error);
      },
      handleReadyForQuery() {
        client.connection.off('parameterDescription', takeParameters);
        resolve({ parameters, columns });
      },
    });
  });
}
