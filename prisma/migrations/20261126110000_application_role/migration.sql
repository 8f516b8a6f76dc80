-- The role of web and worker may not change tables. These functions run as the owner of the tables, and do what workers need of its rights.
-- pg_temp is last in search_path, so that no temporary table takes the place of a table or function that they name.

CREATE FUNCTION add_webhook_attempt_partition(partition text, starts timestamptz, ends timestamptz) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF partition !~ '^webhook_attempt_\d{4}_\d\d_\d\d$' THEN
    RAISE EXCEPTION '% is not a name of a partition of webhook_attempt', partition;
  END IF;
  -- Blocks writers before they choose a partition. A writer that has already chosen the default partition would fail after the new
  -- partition is attached.
  LOCK TABLE ONLY public.webhook_attempt IN SHARE ROW EXCLUSIVE MODE;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.webhook_attempt INCLUDING DEFAULTS INCLUDING INDEXES)', partition);
  EXECUTE format('WITH moved AS (DELETE FROM public.webhook_attempt_default WHERE started_at >= $1 AND started_at < $2 RETURNING *)
    INSERT INTO public.%I SELECT * FROM moved', partition) USING starts, ends;
  EXECUTE format('ALTER TABLE public.webhook_attempt ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition, starts, ends);
END $$;

CREATE FUNCTION drop_webhook_attempt_partition(partition text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF partition !~ '^webhook_attempt_\d{4}_\d\d_\d\d$' THEN
    RAISE EXCEPTION '% is not a name of a partition of webhook_attempt', partition;
  END IF;
  EXECUTE format('DROP TABLE public.%I', partition);
END $$;

-- Only the owner of an index may call gin_clean_pending_list.
CREATE FUNCTION tidy_search_entries() RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS
  $$ SELECT gin_clean_pending_list('public.search_entry_keys'::regclass) $$;

REVOKE ALL ON FUNCTION add_webhook_attempt_partition, drop_webhook_attempt_partition, tidy_search_entries FROM PUBLIC;
