/* HDF5, included here alone, and in memory/hdf5_image.h, whose functions are called as its own are: one thread at a time
 * is in it, whichever that is and whatever the library was built for, as in its own thread-safe builds. Debian's for MPI is
 * none: two threads that read two files end the program, or read wrongly.
 *
 * Each function that we call is in the list below, under its own name, which waits for the door: a call is one as any
 * other. One that is not in the list, such as those whose names are macros in other versions of the library, is SW_H5(call). */
#ifndef SW_COMMON_FILES_HDF5_DOOR_H
#define SW_COMMON_FILES_HDF5_DOOR_H

#include <hdf5.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A thread that is inside may enter again, as functions that HDF5 calls do. A process that is forked off finds it open. */
void sw_h5_enter(void);
void sw_h5_leave(void);

#ifdef __cplusplus
}
#endif

#define SW_H5(call)                     \
    __extension__({                     \
        sw_h5_enter();                  \
        __auto_type sw_h5_got = (call); \
        sw_h5_leave();                  \
        sw_h5_got;                      \
    })

#define H5Aclose(...) SW_H5(H5Aclose(__VA_ARGS__))
#define H5Acreate2(...) SW_H5(H5Acreate2(__VA_ARGS__))
#define H5Adelete(...) SW_H5(H5Adelete(__VA_ARGS__))
#define H5Aexists(...) SW_H5(H5Aexists(__VA_ARGS__))
#define H5Aget_space(...) SW_H5(H5Aget_space(__VA_ARGS__))
#define H5Aget_type(...) SW_H5(H5Aget_type(__VA_ARGS__))
#define H5Aiterate2(...) SW_H5(H5Aiterate2(__VA_ARGS__))
#define H5Aopen(...) SW_H5(H5Aopen(__VA_ARGS__))
#define H5Aread(...) SW_H5(H5Aread(__VA_ARGS__))
#define H5Awrite(...) SW_H5(H5Awrite(__VA_ARGS__))
#define H5check_version(...) ((void)SW_H5(H5check_version(__VA_ARGS__))) /* before a comma, in constants */
#define H5Dclose(...) SW_H5(H5Dclose(__VA_ARGS__))
#define H5Dcreate2(...) SW_H5(H5Dcreate2(__VA_ARGS__))
#define H5Dget_create_plist(...) SW_H5(H5Dget_create_plist(__VA_ARGS__))
#define H5Dget_offset(...) SW_H5(H5Dget_offset(__VA_ARGS__))
#define H5Dget_space(...) SW_H5(H5Dget_space(__VA_ARGS__))
#define H5Dget_storage_size(...) SW_H5(H5Dget_storage_size(__VA_ARGS__))
#define H5Dget_type(...) SW_H5(H5Dget_type(__VA_ARGS__))
#define H5dont_atexit(...) SW_H5(H5dont_atexit(__VA_ARGS__))
#define H5Dopen2(...) SW_H5(H5Dopen2(__VA_ARGS__))
#define H5Dread(...) SW_H5(H5Dread(__VA_ARGS__))
#define H5Dvlen_reclaim(...) SW_H5(H5Dvlen_reclaim(__VA_ARGS__))
#define H5Dwrite(...) SW_H5(H5Dwrite(__VA_ARGS__))
#define H5Eset_auto2(...) SW_H5(H5Eset_auto2(__VA_ARGS__))
#define H5Fclose(...) SW_H5(H5Fclose(__VA_ARGS__))
#define H5Fcreate(...) SW_H5(H5Fcreate(__VA_ARGS__))
#define H5FD_sec2_init(...) SW_H5(H5FD_sec2_init(__VA_ARGS__))
#define H5Fflush(...) SW_H5(H5Fflush(__VA_ARGS__))
#define H5Fget_access_plist(...) SW_H5(H5Fget_access_plist(__VA_ARGS__))
#define H5Fget_filesize(...) SW_H5(H5Fget_filesize(__VA_ARGS__))
#define H5Fget_name(...) SW_H5(H5Fget_name(__VA_ARGS__))
#define H5Fget_vfd_handle(...) SW_H5(H5Fget_vfd_handle(__VA_ARGS__))
#define H5Fopen(...) SW_H5(H5Fopen(__VA_ARGS__))
#define H5Gclose(...) SW_H5(H5Gclose(__VA_ARGS__))
#define H5Gcreate2(...) SW_H5(H5Gcreate2(__VA_ARGS__))
#define H5Gget_info(...) SW_H5(H5Gget_info(__VA_ARGS__))
#define H5Gopen2(...) SW_H5(H5Gopen2(__VA_ARGS__))
#define H5Iget_file_id(...) SW_H5(H5Iget_file_id(__VA_ARGS__))
#define H5Iget_name(...) SW_H5(H5Iget_name(__VA_ARGS__))
#define H5Iget_type(...) SW_H5(H5Iget_type(__VA_ARGS__))
#define H5Ldelete(...) SW_H5(H5Ldelete(__VA_ARGS__))
#define H5Lexists(...) SW_H5(H5Lexists(__VA_ARGS__))
#define H5Lget_name_by_idx(...) SW_H5(H5Lget_name_by_idx(__VA_ARGS__))
#define H5Oclose(...) SW_H5(H5Oclose(__VA_ARGS__))
#define H5Oopen(...) SW_H5(H5Oopen(__VA_ARGS__))
#define H5open(...) ((void)SW_H5(H5open(__VA_ARGS__))) /* likewise */
#define H5Pclose(...) SW_H5(H5Pclose(__VA_ARGS__))
#define H5Pcreate(...) SW_H5(H5Pcreate(__VA_ARGS__))
#define H5Pget_driver(...) SW_H5(H5Pget_driver(__VA_ARGS__))
#define H5Pget_layout(...) SW_H5(H5Pget_layout(__VA_ARGS__))
#define H5Pset_alloc_time(...) SW_H5(H5Pset_alloc_time(__VA_ARGS__))
#define H5Pset_chunk(...) SW_H5(H5Pset_chunk(__VA_ARGS__))
#define H5Pset_create_intermediate_group(...) SW_H5(H5Pset_create_intermediate_group(__VA_ARGS__))
#define H5Pset_deflate(...) SW_H5(H5Pset_deflate(__VA_ARGS__))
#define H5Pset_shuffle(...) SW_H5(H5Pset_shuffle(__VA_ARGS__))
#define H5Sclose(...) SW_H5(H5Sclose(__VA_ARGS__))
#define H5Screate(...) SW_H5(H5Screate(__VA_ARGS__))
#define H5Screate_simple(...) SW_H5(H5Screate_simple(__VA_ARGS__))
#define H5Sget_simple_extent_dims(...) SW_H5(H5Sget_simple_extent_dims(__VA_ARGS__))
#define H5Sget_simple_extent_ndims(...) SW_H5(H5Sget_simple_extent_ndims(__VA_ARGS__))
#define H5Sget_simple_extent_npoints(...) SW_H5(H5Sget_simple_extent_npoints(__VA_ARGS__))
#define H5Sselect_hyperslab(...) SW_H5(H5Sselect_hyperslab(__VA_ARGS__))
#define H5Sselect_valid(...) SW_H5(H5Sselect_valid(__VA_ARGS__))
#define H5Tclose(...) SW_H5(H5Tclose(__VA_ARGS__))
#define H5Tcopy(...) SW_H5(H5Tcopy(__VA_ARGS__))
#define H5Tequal(...) SW_H5(H5Tequal(__VA_ARGS__))
#define H5Tget_class(...) SW_H5(H5Tget_class(__VA_ARGS__))
#define H5Tget_size(...) SW_H5(H5Tget_size(__VA_ARGS__))
#define H5Tis_variable_str(...) SW_H5(H5Tis_variable_str(__VA_ARGS__))
#define H5Tset_size(...) SW_H5(H5Tset_size(__VA_ARGS__))
#define H5Tset_strpad(...) SW_H5(H5Tset_strpad(__VA_ARGS__))
#define H5Zfilter_avail(...) SW_H5(H5Zfilter_avail(__VA_ARGS__))

#endif
